package dev.gatehouse.sp.idtoken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.jose.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimValuesTest {

  private static ClaimValues of(String json) {
    return ClaimValues.of(StrictJson.object(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)).orElseThrow());
  }

  @Test
  void aMemberWithoutAValueIsLeftOut() {
    assertThat(of("{'address':{'locality':null,'country':'DE'},'nickname':null,'groups':[null,'staff']}").byName())
        .isEqualTo(Map.of("address.country", List.of("DE"), "groups", List.of("staff")));
  }

  /** OpenID Connect Core 5.1; some providers freeze the claims of the ID token when they issue the code. */
  @Test
  void anAddressOfTheIdTokenIsNotVerifiedByWhatUserInfoSaysOfAnotherOne() {
    ClaimValues mixed = of("{'email':'ceo@corp.example'}").and(of("{'email':'me@corp.example','email_verified':true,'name':'Me'}"));
    assertThat(mixed.byName()).isEqualTo(Map.of("email", List.of("ceo@corp.example"), "name", List.of("Me")));
    ClaimValues other = of("{'email_verified':true}").and(of("{'email':'ceo@corp.example'}"));
    assertThat(other.byName()).isEqualTo(Map.of("email", List.of("ceo@corp.example")));
  }

  @Test
  void anAddressIsVerifiedByTheClaimsBesideIt() {
    Map<String, List<String>> verified = Map.of("email", List.of("me@corp.example"), "email_verified", List.of("true"));
    assertThat(of("{'email':'me@corp.example','email_verified':true}").and(of("{}")).byName()).isEqualTo(verified);
    assertThat(of("{}").and(of("{'email':'me@corp.example','email_verified':true}")).byName()).isEqualTo(verified);
    assertThat(of("{'email':'me@corp.example'}").and(of("{'email':'me@corp.example','email_verified':true}")).byName())
        .as("the same address")
        .isEqualTo(verified);
    ClaimValues signed = of("{'email':'me@corp.example','email_verified':false}");
    assertThat(signed.and(of("{'email':'me@corp.example','email_verified':true}")).byName())
        .as("the signed one counts")
        .containsEntry("email_verified", List.of("false"));
  }
}
