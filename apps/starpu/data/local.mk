# Handles, kinds of data, filters, accesses of the program, memory.
liborrery_starpu_a_SOURCES += \
	%D%/acquire.c \
	%D%/elements.c %D%/elements.h \
	%D%/copies.c \
	%D%/dense_kinds.c \
	%D%/dense_register.c \
	%D%/facts.c \
	%D%/filters.c \
	%D%/handle.c %D%/handle.h \
	%D%/hash.c \
	%D%/memory.c \
	%D%/partition.c \
	%D%/plan.c %D%/plan.h \
	%D%/queries.c \
	%D%/sparse_kinds.c \
	%D%/sparse_register.c \
	%D%/handle_state.h
