/**
 * LogoutRequests from server to server (SAML Profiles 4.4, Bindings 3.2). A request is sent within a deadline. Without the
 * partner's confirmation it is stored durably and sent again, until the partner confirms or its own session has ended anyway. Used
 * by the idp towards service providers and by the sp towards identity providers. Uses the stores, the audit log and the back channel.
 */
@NullMarked
package dev.gatehouse.common.logout;

import org.jspecify.annotations.NullMarked;
