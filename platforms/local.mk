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
	%D%/sirocco-a100.xml \
	%D%/sirocco-k40m.xml \
	%D%/sirocco-p100.xml \
	%D%/sirocco-rtx8000.xml \
	%D%/sirocco-v100.xml \
	%D%/sirocco.xml \
	%D%/workstation-4090.xml
