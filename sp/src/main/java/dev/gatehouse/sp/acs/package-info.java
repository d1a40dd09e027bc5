/**
 * AssertionConsumerService: a {@code ReceivedResponse} becomes a {@link VerifiedAssertion} here and nowhere else, and
 * that an AppSession (SAML Profiles 4.1.4.3 to 4.1.5; Bindings 3.5).
 *
 * <p>A Response comes as a POST from another site, without our SameSite=Lax cookies. It is checked by itself, parked, and the
 * browser is sent on to a GET that brings the cookies, and with them the request that it carries; only then is the Response held against the
 * request, and anything consumed. Order of a login: rules, browser and request, mark the request as answered, replay mark, audit, session.
 *
 * <p>An unsolicited Response cannot be bound to a browser that asked for it: whoever can make a browser send one logs
 * it in as somebody of their choice (login cross-site request forgery). A realm that turns it on accepts that for
 * browsers without a session. A browser that has a session of another person is never switched silently: the person is
 * asked. RelayState is a target only if it is a path or a URL of ours. Uses login, check and session of this module.
 */
@NullMarked
package dev.gatehouse.sp.acs;

import org.jspecify.annotations.NullMarked;
