#!/bin/sh
# Fetches the packages of Debian that package language is trained on, and unpacks them
# below the folder named. Nothing is installed.
set -eu
mkdir -p "$1/debs"
cd "$1/debs"
l10n=$(apt-cache search '^libreoffice-l10n-' | cut -d' ' -f1 | grep '^libreoffice-l10n-')
manuals=$(apt-cache search '^manpages-' | cut -d' ' -f1 | grep -Ev 'dev$|posix|^manpages-pt$')
messages="libgtk2.0-common libglib2.0-data libgdk-pixbuf2.0-common at-spi2-common libc-l10n coreutils apt libapt-pkg6.0
	dpkg libdpkg-perl adduser login systemd bash git xz-utils man-db shared-mime-info gettext gettext-base gnupg-l10n packagekit
	software-properties-common python-apt-common appstream binutils-common diffutils findutils grep sed tar wget make psmisc
	sharutils procps xkb-data gsettings-desktop-schemas libgstreamer1.0-0 libgnutls30 libidn2-0 iso-codes"
# shellcheck disable=SC2086
apt-get download $l10n $manuals $messages
for package in *.deb; do
	dpkg-deb -x "$package" ..
done
cd .. && rm -r debs
