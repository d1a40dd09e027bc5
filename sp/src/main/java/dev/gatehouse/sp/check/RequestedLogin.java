package dev.gatehouse.sp.check;

import java.time.Instant;
import java.util.List;

/**
 * What an AuthnRequest of ours asked for.
 *
 * @param identityProvider whom it was sent to
 * @param authnContext AuthnContextClassRefs of which the answer must have one; any where empty
 * @param forceAuthn whether the person had to be authenticated anew
 * @param at when it was issued
 */
public record RequestedLogin(String identityProvider, List<String> authnContext, boolean forceAuthn, Instant at) {}
