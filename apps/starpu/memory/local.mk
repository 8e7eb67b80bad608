# StarPU's policies for memories that are too small for all data.
liborrery_starpu_a_SOURCES += \
	%D%/collect.c %D%/collect.h \
	%D%/cuthillmckee.c \
	%D%/hfp.c \
	%D%/memory.c %D%/memory.h \
	%D%/mst.c \
	%D%/packing.c %D%/packing.h
