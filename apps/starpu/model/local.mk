liborrery_starpu_a_SOURCES += \
	%D%/arch.c %D%/arch.h \
	%D%/bound.c %D%/bound.h \
	%D%/cost.c %D%/cost.h \
	%D%/expected.c \
	%D%/files.c \
	%D%/fill.c \
	%D%/formula.c %D%/formula.h \
	%D%/model.h \
	%D%/measure.c %D%/measure.h \
	%D%/profiling.c \
	%D%/source.c %D%/source.h
