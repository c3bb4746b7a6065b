# gnuplot plot.gp
array scheme[32]
array what[32]
array queue[32]
array longest[32]
array rate[32]
array use[32]
scheme[1] = 'dcqcn'
what[1] = 'DCQCN: CNPs from the receiver'
queue[1] = 'mean 356.6 KB (shaded: 91.5 KB), at most 7.5 MB, 0 dropped'
longest[1] = 7531986.0
rate[1] = 'mean 85.6 Gbit/s (shaded: 90.7), first cut after 15.7 us'
use[1] = 'shaded: link 99.9 % in use'
scheme[2] = 'hpcc-int'
what[2] = 'HPCC++: telemetry by INT-MD'
queue[2] = 'mean 6.5 KB (shaded: 1.7 KB), at most 1.5 MB, 0 dropped'
longest[2] = 1544728.0
rate[2] = 'mean 83.7 Gbit/s (shaded: 83.7), first cut after 8.7 us'
use[2] = 'shaded: link 95.6 % in use'
name = '16 endless flows to one receiver through one switch; 100 Gbit/s, round trip 8 us, buffers of 32 MB, seed 1, preset=nvidia'
under = 0.89
n = 2
shown = 4
half = 1
end = 20000000.0
top = 100000000.0
link = 100000000000 / 1e9
most = 12600000000 / 1e9
width = n < 3 ? 900.0 : 400.0 * n
set terminal svg size width,720 font 'sans-serif,12' \
    background '#ffffff' noenhanced
set output 'queue-and-rate.svg'
set multiplot layout 3,n columnsfirst title name \
    margins 81 / width,1 - 18 / width,0.07,under spacing 54 / width,0.095
set datafile separator ','; set border 3 lc '#888888'
set tics nomirror textcolor '#444444'; set grid ytics lt 1 lw 0.5 lc '#e4e4e4'
least = 100.0
at(ns) = ns / (end < 2e6 ? 1e3 : 1e6); set xrange [0:at(end)]
if (half) set object 2 rectangle from at(end) / 2, graph 0 to at(end), graph 1 \
    behind fillcolor '#f3f3f3' fillstyle solid noborder
length(bytes) = bytes < least ? least : bytes
mark = 'empty "1 KB" "10 KB" "100 KB" "1 MB" "10 MB" "100 MB" "1 GB"'
do for [i=1:n] {
    csv = scheme[i].'.csv'
    unset key; set title what[i]."\n".queue[i] offset 0,-0.5
    set ylabel (i == 1 ? 'queue, log scale' : '') offset 1,0
    set xlabel ''; set format x ''
    set logscale y; set yrange [80:top]; set ytics scale 0.5,0 ('' 1)
    set for [k=1:8] ytics add ((i > 1 ? '' : word(mark, k)) 10.0 ** (k + 1))
    plot csv skip 1 using (at($1)):(length($2)) with filledcurves y1=least \
        lc '#dbe9f6', '' skip 1 using (at($1)):(length($2)) with lines lc '#2171b5', \
        length(longest[i]) with lines lc '#2171b5' dt 3
    set title rate[i]."\n".use[i]; unset logscale y; set yrange [0:link]
    set ylabel (i == 1 ? 'payload received, Gbit/s' : '') offset 1,0
    set ytics scale 0.5,0 autofreq; set format y (i == 1 ? '%g' : '')
    plot csv skip 1 using (at($1)):($3 / 1e9) with lines lw 1.2 lc '#333333'
    unset title; set key at graph 1,1.15 right horizontal samplen 1
    set ylabel (i == 1 ? 'of one flow, Gbit/s' : '') offset 1,0
    set xlabel (end < 2e6 ? 'us' : 'ms').(half ? ' (shaded: the second half)' : '') \
        offset 0,0.5
    set format x '%g'
    set yrange [0:most]
    plot for [k=4:3+shown] csv skip 1 using (at($1)):(column(k) / 1e9) with lines \
        lc rgb word('#e6550d #31a354 #756bb1 #de2d86', k - 3) \
        title sprintf('flow %d', k - 3)
}
unset multiplot
