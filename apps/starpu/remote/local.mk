liborrery_starpu_a_SOURCES += \
	%D%/begin.c \
	%D%/client.c %D%/client.h \
	%D%/client_data.c %D%/client_data.h \
	%D%/client_threads.c %D%/client_threads.h \
	%D%/formula.c \
	%D%/link.c %D%/link.h
