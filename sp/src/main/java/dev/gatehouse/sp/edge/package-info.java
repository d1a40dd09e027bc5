/**
 * What all endpoints of the service provider share: the realm as they see it, the browser's value before login (cookie
 * {@code gh_pre.REALM}), refusals as pages and audit events; and what each identity provider may say of people, which the gateway
 * asks for access tokens as well. Uses common only.
 */
@NullMarked
package dev.gatehouse.sp.edge;

import org.jspecify.annotations.NullMarked;
