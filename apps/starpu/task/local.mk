liborrery_starpu_a_SOURCES += \
	%D%/bundle.c \
	%D%/list.c \
	%D%/pack.c
