/**
 * AssertionConsumerService: the only place where a {@code ReceivedResponse} becomes a {@link VerifiedAssertion} and
 * then an AppSession (SAML Profiles 4.1.4.3 to 4.1.5; Bindings 3.5).
 *
 * <p>A Response is a cross-site POST, so the browser does not send our SameSite=Lax cookies. We check the Response by
 * itself, save it, and redirect the browser to a GET request. That request brings the cookies and with them the pending
 * request. Only then do we compare the Response with the request and consume anything. Order of a login: rules, browser
 * and request, mark the request as answered, replay mark, audit, session.
 *
 * <p>An unsolicited Response cannot be bound to a browser that requested it: an attacker who makes a browser send one
 * logs that browser in as a person of the attacker's choice (login cross-site request forgery). A realm that enables
 * unsolicited Responses accepts this risk for browsers without a session. A browser with a session of another person is
 * never switched silently: the person is asked. RelayState is a target only if it is a path or a URL of ours. The
 * package uses login, check and session of this module.
 */
@NullMarked
package dev.gatehouse.sp.acs;

import org.jspecify.annotations.NullMarked;
