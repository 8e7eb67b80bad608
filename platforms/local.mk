platformsdir = $(pkgdatadir)/platforms
dist_platforms_DATA = \
	%D%/attila.xml \
	%D%/hannibal-pitch.xml \
	%D%/hannibal.xml \
	%D%/idcin-2.xml \
	%D%/idgraf.xml \
	%D%/mirage.xml \
	%D%/platform.rng \
	%D%/sirocco.xml
