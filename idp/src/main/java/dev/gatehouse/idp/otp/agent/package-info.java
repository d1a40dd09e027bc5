/** Passcodes asked about by agents over HTTP: programs at desktops, portals and hosts. */
@NullMarked
package dev.gatehouse.idp.otp.agent;

import org.jspecify.annotations.NullMarked;
