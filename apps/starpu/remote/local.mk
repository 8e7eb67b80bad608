liborrery_starpu_a_SOURCES += \
	%D%/client.c %D%/client.h \
	%D%/formula.c \
	%D%/link.c %D%/link.h
