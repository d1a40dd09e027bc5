/** Endpoints of the identity provider: functions from a request in a realm to a reply. Uses common only. */
@NullMarked
package dev.gatehouse.idp.endpoint;

import org.jspecify.annotations.NullMarked;
