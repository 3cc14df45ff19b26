four by four
             2             1             1             0
psa                        4             4             6             0
(16I5)          (16I5)
    1    3    4    6    7
    1    3    2    3    4    4
