/**
 * LogoutRequests that travel from server to server (SAML Profiles 4.4, Bindings 3.2): sent within a deadline, and where a
 * partner did not confirm, kept durably and sent again until it does or its own session has ended anyway. Used by the idp
 * towards service providers and by the sp towards identity providers. Uses the stores, the audit log and the back channel.
 */
@NullMarked
package dev.gatehouse.common.logout;

import org.jspecify.annotations.NullMarked;
