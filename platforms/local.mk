platformsdir = $(pkgdatadir)/platforms
dist_platforms_DATA = \
	%D%/attila.xml \
	%D%/mirage.xml \
	%D%/platform.rng
