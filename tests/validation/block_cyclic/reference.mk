# Builds ScaLAPACK and HPL, unmodified, for the simulator.
#
#     make -f tests/validation/block_cyclic/reference.mk SCALAPACK=TREE HPL=TREE OUT=build/smpi
#
# TREE is an unpacked source tree.  Only double precision is built; the BLAS is charged.c's.
here      := tests/validation/block_cyclic
objects   := $(OUT)/reference-objects
c_flags   := -O1 -w -fPIC -DAdd_
f_flags   := -O1 -w -fPIC -std=legacy -fallow-argument-mismatch

blacs     := $(SCALAPACK)/BLACS/SRC
pblas     := $(SCALAPACK)/PBLAS/SRC
others    := c s z
# Sources of other precisions.
is_other   = $(foreach t,$(others),BI_$(t)%.c $(t)%2d_.c)
blacs_c   := $(filter-out $(foreach p,$(is_other),$(blacs)/$(p)) ,$(wildcard $(blacs)/*.c))
pblas_c   := $(wildcard $(pblas)/pd*_.c $(pblas)/pilaenv.c) $(wildcard $(pblas)/PTOOLS/*.c)
fortran   := $(wildcard $(pblas)/*.f $(pblas)/PBBLAS/pbd*.f $(pblas)/PTZBLAS/d*.f $(pblas)/PTZBLAS/pxerbla.f) \
             $(addprefix $(SCALAPACK)/TOOLS/,chk1mat.f pchkxmat.f descinit.f descset.f iceil.f ilcm.f indxg2l.f \
                 indxg2p.f indxl2g.f infog1l.f infog2l.f numroc.f pdelset.f) \
             $(addprefix $(SCALAPACK)/SRC/,pdgetrf.f pdgetf2.f pdlaswp.f pdpotrf.f pdpotf2.f pdgeqrf.f pdgeqr2.f \
                 pdlarfg.f pdlarf.f pdlarft.f pdlarfb.f)
hpl_c     := $(filter-out %/HPL_dlaswp01T.c %/HPL_dlaswp00N.c %/HPL_dlaswp02N.c %/HPL_dlaswp03T.c %/HPL_dlaswp04T.c \
                 %/HPL_dlaswp05T.c %/HPL_dlaswp06T.c %/HPL_dlaswp10N.c %/HPL_dlocswpT.c %/HPL_dlacpy.c %/HPL_dlatcpy.c, \
                 $(wildcard $(HPL)/src/*/*.c))

name       = $(objects)/$(subst /,-,$(patsubst $(SCALAPACK)/%,%,$(patsubst $(HPL)/%,%,$(1)))).o
library   := $(foreach s,$(blacs_c) $(pblas_c) $(fortran) $(hpl_c),$(call name,$(s))) \
             $(foreach s,$(filter-out $(blacs)/BI_%,$(blacs_c)),$(call name,$(s)).c.o)

# The archive gives the program only what it calls.
$(OUT)/reference: $(addprefix $(objects)/,reference.o charged.o charged_hpl.o charged_scalapack.o libreference.a)
	smpicc -Wl,-Bsymbolic -Wl,--wrap=pdnrm2_ -o $@ $^ -llapack -lgfortran -lm

$(objects)/libreference.a: $(library)
	rm -f $@ && ar rcs $@ $^

define c_rule
$(call name,$(1)): $(1)
	@mkdir -p $$(@D)
	smpicc $(c_flags) $(2) -c -o $$@ $$<
endef
$(foreach s,$(blacs_c),$(eval $(call c_rule,$(s))))
$(foreach s,$(pblas_c),$(eval $(call c_rule,$(s),-I$(pblas))))
$(foreach s,$(hpl_c),$(eval $(call c_rule,$(s),-I$(HPL)/include -DF77_INTEGER=int -DStringSunStyle -DHPL_CALL_FBLAS)))
define cblacs_rule
$(call name,$(1)).c.o: $(1)
	@mkdir -p $$(@D)
	smpicc $(c_flags) -DCallFromC -c -o $$@ $$<
endef
$(foreach s,$(filter-out $(blacs)/BI_%,$(blacs_c)),$(eval $(call cblacs_rule,$(s))))
define f_rule
$(call name,$(1)): $(1)
	@mkdir -p $$(@D)
	gfortran $(f_flags) -c -o $$@ $$<
endef
$(foreach s,$(fortran),$(eval $(call f_rule,$(s))))

$(objects)/%.o: $(here)/%.c $(here)/charged.h $(here)/core.h
	@mkdir -p $(@D)
	smpicc -std=gnu17 -D_GNU_SOURCE -I. -I$(HPL)/include -DAdd_ -DF77_INTEGER=int -DStringSunStyle -O1 -fPIC -Wall -c -o $@ $<
