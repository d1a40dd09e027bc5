package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.check.CheckResult;
import dev.gatehouse.sp.link.AssertedIdentity;
import java.util.List;
import java.util.Optional;

/**
 * The results of all rules for one Response.
 *
 * @param checks in the order in which they run
 * @param attributes all values that the Response states
 * @param identity empty if a rule about the Response is not satisfied
 */
public record InspectedResponse(
    List<CheckResult> checks, List<AttributeVerdict> attributes, Optional<AssertedIdentity> identity) {}
