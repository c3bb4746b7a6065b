# gnuplot plot.gp
array scheme[32]
array what[32]
array queue[32]
array rate[32]
scheme[1] = 'dcqcn'
what[1] = 'DCQCN: CE, CNPs of the receiver'
queue[1] = 'mean 13.2 MB, most 32.0 MB, 74077 drops'
rate[1] = '4.8 Gbit/s, link in use 73.8 %, first cut after 37.7 ms'
scheme[2] = 'fastcnp'
what[2] = 'DCQCN: Fast CNPs of the switch'
queue[2] = 'mean 817.0 KB, most 7.1 MB, 0 drops'
rate[2] = '5.4 Gbit/s, link in use 62.9 %, first cut after 2.6 ms'
name = 'wan, 2 flows, 10Gbit/s, RTT 40ms, buffers 32MB, seed 1, longlived'
under = 0.86
n = 2
shown = 2
end = 400000000.0
top = 1000000000.0
link = 10000000000 / 1e9
set terminal svg size (n < 4 ? 900 : 300 * n),470 font 'sans-serif,12' \
    background '#ffffff' noenhanced
set output 'queue-and-rate.svg'
set multiplot layout 2,n columnsfirst title name \
    margins 0.09,0.98,0.12,under spacing 0.04,0.06
set datafile separator ','; unset key; set border 3 lc '#888888'
set tics nomirror textcolor '#444444'; set grid ytics lt 1 lw 0.5 lc '#e4e4e4'
set label 1 at graph 0.98,0.93 right
set label 2 at graph 0.98,0.81 right textcolor '#888888'
least = 100.0
at(ns) = ns / (end < 2e6 ? 1e3 : 1e6); set xrange [0:at(end)]
length(bytes) = bytes < least ? least : bytes
mark = 'empty "1 KB" "10 KB" "100 KB" "1 MB" "10 MB" "100 MB" "1 GB"'
do for [i=1:n] {
    csv = scheme[i].'.csv'
    set title what[i] offset 0,-0.5; set label 1 queue[i]; set label 2 ''
    set ylabel (i == 1 ? 'queue' : '') offset 1,0; set xlabel ''; set format x ''
    set logscale y; set yrange [80:top]; set ytics scale 0.5,0 ('' 1)
    set for [k=1:8] ytics add ((i > 1 ? '' : word(mark, k)) 10.0 ** (k + 1))
    plot csv skip 1 using (at($1)):(length($2)) with filledcurves y1=least \
        lc '#dbe9f6', '' skip 1 using (at($1)):(length($2)) with lines lc '#2171b5'
    unset title; set label 1 rate[i]
    set label 2 sprintf('dark: all flows; in colour: the first %d', shown)
    set ylabel (i == 1 ? 'received, Gbit/s' : '') offset 1,0; set format x '%g'
    set xlabel (end < 2e6 ? 'us' : 'ms') offset 0,0.5; unset logscale y
    set yrange [0:1.4 * link]; set ytics scale 0.5,0 autofreq
    set format y (i == 1 ? '%g' : '')
    plot for [k=4:3+shown] csv skip 1 using (at($1)):(column(k) / 1e9) with lines \
        lw 0.8 lc rgb word('#e6550d #31a354 #756bb1 #de2d86', k - 3), \
        csv skip 1 using (at($1)):($3 / 1e9) with lines lw 1.2 lc '#333333'
}
unset multiplot
