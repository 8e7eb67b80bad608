liborrery_starpu_a_SOURCES += \
	%D%/buckets.c %D%/buckets.h \
	%D%/init.c \
	%D%/main.c \
	%D%/policies.c %D%/policies.h \
	%D%/settings.c %D%/settings.h
