package dev.gatehouse.sp.check;

import java.time.Instant;
import java.util.List;

/**
 * The demands of an AuthnRequest of ours.
 *
 * @param identityProvider the recipient of the request
 * @param authnContext AuthnContextClassRefs of which the answer must have one; empty means any
 * @param forceAuthn whether the person had to authenticate anew
 * @param at the time of issue
 */
public record RequestedLogin(String identityProvider, List<String> authnContext, boolean forceAuthn, Instant at) {}
