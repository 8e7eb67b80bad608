liborrery_starpu_a_SOURCES += \
	%D%/init.c \
	%D%/main.c \
	%D%/policies.c %D%/policies.h \
	%D%/settings.c %D%/settings.h
