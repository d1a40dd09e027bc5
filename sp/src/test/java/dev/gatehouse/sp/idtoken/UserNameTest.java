package dev.gatehouse.sp.idtoken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.sp.edge.ProviderTrust;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The user names of a provider that is not the realm's own. */
final class UserNameTest {

  private static final String ISSUER = "https://op.example";
  private static final String CLAIM = "preferred_username";

  private static String user(Map<String, List<String>> accept, Map<String, Object> claims, String subject) {
    return UserName.of(ClaimValues.of(claims), CLAIM, ISSUER, subject, ProviderTrust.of(false, accept));
  }

  @Test
  void aSubjectIsAPlainNameOnlyIfItIsListed() {
    Map<String, List<String>> accept = Map.of("sub", List.of("staff-*"));

    assertThat(user(accept, Map.of(), "staff-1")).isEqualTo("staff-1");
    assertThat(user(accept, Map.of(), "root")).isEqualTo(ISSUER + "!root");
    assertThat(user(Map.of(), Map.of(), "staff-1")).isEqualTo(ISSUER + "!staff-1");
  }

  @Test
  void aClaimIsAPlainNameOnlyIfItIsListed() {
    Map<String, Object> claims = Map.of(CLAIM, "bob");

    assertThat(user(Map.of(CLAIM, List.of("*")), claims, "1")).isEqualTo("bob");
    assertThat(user(Map.of("sub", List.of("*")), claims, "1")).isEqualTo(ISSUER + "!1");
  }
}
