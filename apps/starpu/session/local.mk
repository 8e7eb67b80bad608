liborrery_starpu_a_SOURCES += \
	%D%/init.c \
	%D%/main.c \
	%D%/settings.c %D%/settings.h
