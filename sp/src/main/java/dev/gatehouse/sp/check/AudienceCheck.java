package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.List;
import java.util.Optional;

/** Checks that there is an AudienceRestriction and that every one names us (SAML Core 2.5.1.4; Profiles 4.1.4.2). */
public final class AudienceCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    List<List<String>> restrictions = assertion.audienceRestrictions();
    boolean named = restrictions.stream().allMatch(audiences -> audiences.contains(expected.sp().entityId()));
    return SamlRefusal.unless(
        named && !restrictions.isEmpty(), Reason.AUDIENCE, "no AudienceRestriction, or one that does not name us");
  }
}
