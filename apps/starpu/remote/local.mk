liborrery_starpu_a_SOURCES += \
	%D%/client.c %D%/client.h \
	%D%/link.c %D%/link.h
