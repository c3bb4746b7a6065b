#include "rocecc/rocecc.h"
