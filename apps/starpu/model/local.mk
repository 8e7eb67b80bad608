liborrery_starpu_a_SOURCES += \
	%D%/arch.c %D%/arch.h \
	%D%/cost.c %D%/cost.h \
	%D%/expected.c \
	%D%/fill.c \
	%D%/model.h \
	%D%/profiling.c
