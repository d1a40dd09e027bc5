/**
 * Name Identifier Management, the same for both roles (SAML Core 3.6, Profiles 4.5). Reads and checks ManageNameIDRequests of
 * partners and answers them by the same way; sends our requests and matches their responses. The idp and the sp decide what a
 * change means. Uses {@code saml}, {@code backchannel}, {@code page} and {@code store}.
 */
@NullMarked
package dev.gatehouse.common.nameid;

import org.jspecify.annotations.NullMarked;
