platformsdir = $(pkgdatadir)/platforms
dist_platforms_DATA = \
	%D%/attila.xml \
	%D%/dgx-h100.xml \
	%D%/hannibal-pitch.xml \
	%D%/hannibal.xml \
	%D%/idcin-2.xml \
	%D%/idgraf.xml \
	%D%/mirage.xml \
	%D%/platform.rng \
	%D%/sirocco.xml \
	%D%/workstation-4090.xml
