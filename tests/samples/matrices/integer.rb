three by three, integers
             4             1             1             2
iua                        3             3             5             0
(20I4)          (20I4)          (3I4)
   1   3   4   6
   1   2   2   1   3
   7 -12   3
  40  -5
