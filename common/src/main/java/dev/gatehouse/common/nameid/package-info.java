/**
 * Name Identifier Management, the same for both sides (SAML Core 3.6, Profiles 4.5): ManageNameIDRequests of partners are
 * read, checked and answered the way they came, ours are sent and their answers matched. What a change means is said by the
 * idp and the sp, each for its own. Uses {@code saml}, {@code backchannel}, {@code page} and {@code store}.
 */
@NullMarked
package dev.gatehouse.common.nameid;

import org.jspecify.annotations.NullMarked;
