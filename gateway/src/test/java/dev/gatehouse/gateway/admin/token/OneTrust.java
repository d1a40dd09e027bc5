package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TrustDesk;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A realm that trusts one other; what a real one says is tested with the identity provider. */
public final class OneTrust implements TrustDesk {

  private final String role;

  /** @param role of its people, as somebody wrote it */
  public OneTrust(String role) {
    this.role = role;
  }

  @Override
  public List<TrustView> list(String realm) {
    return List.of(
        new TrustView(
            "branch.example", List.of("branch.example", "old.branch.example"), "https://id.branch.example/realms/main/otp/v1", Set.of(role), false,
            false, 50, List.of(new TrustCertificate("ab12".repeat(16), Instant.EPOCH)),
            new TrustContact(true, Optional.empty(), 1234, Optional.of(Instant.EPOCH), 3)));
  }

  @Override
  public Optional<TrustTest> test(String realm, String name) {
    return Optional.of(new TrustTest(false, Optional.empty(), List.of("It was not reached.")));
  }
}
