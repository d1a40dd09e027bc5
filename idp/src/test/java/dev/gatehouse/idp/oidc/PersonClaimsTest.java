package dev.gatehouse.idp.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.OAuthConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory's data as claims. */
class PersonClaimsTest {

  private static final OAuthConfig CONFIG =
      config(
          Map.of(
              "email_verified", "mailVerified", "updated_at", "changed", "address", "postalAddress", "picture", "photo",
              "department", "ou"));

  private static OAuthConfig config(Map<String, String> more) {
    return config(OAuthConfig.USUAL.scopes(), more);
  }

  private static OAuthConfig config(Map<String, List<String>> scopes, Map<String, String> more) {
    OAuthConfig usual = OAuthConfig.USUAL;
    Map<String, String> claims = new HashMap<>(OAuthConfig.STANDARD_CLAIMS);
    claims.putAll(more);
    return new OAuthConfig(
        usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
        usual.pushedLife(), usual.registration(), scopes, claims, usual.certificateUrl(),
        usual.certificateAuthorities());
  }

  private static Person jane(Map<String, List<String>> attributes) {
    return new Person(
        new PersonId("248289761001"), "j.doe", "uid=j.doe,dc=example,dc=org", attributes, List.of("staff"), Set.of("b", "a"));
  }

  /** The example of OpenID Connect Core 5.3.2, without sub, which does not come from the directory. */
  @Test
  void theSpecificationsExample() {
    Person jane =
        jane(
            Map.of(
                "displayName", List.of("Jane Doe"),
                "givenName", List.of("Jane"),
                "sn", List.of("Doe"),
                "uid", List.of("j.doe"),
                "mail", List.of("janedoe@example.com", "jane@example.com"),
                "photo", List.of("http://example.com/janedoe/me.jpg")));
    Set<String> claims = ScopeClaims.of(CONFIG, List.of("openid", "profile", "email"));
    assertThat(Json.text(PersonClaims.of(CONFIG, jane, claims)))
        .isEqualTo(
            "{\"email\":\"janedoe@example.com\",\"name\":\"Jane Doe\",\"family_name\":\"Doe\",\"given_name\":\"Jane\","
                + "\"preferred_username\":\"j.doe\",\"picture\":\"http://example.com/janedoe/me.jpg\"}");
  }

  @Test
  void whatTheDirectoryDoesNotSayIsLeftOut() {
    Set<String> claims = ScopeClaims.of(CONFIG, List.of("profile", "email", "phone", "address", "unknown"));
    assertThat(PersonClaims.of(CONFIG, jane(Map.of()), claims)).containsOnlyKeys("preferred_username");
  }

  @Test
  void everyClaimHasItsType() {
    Person jane =
        jane(
            Map.of(
                "mailVerified", List.of("TRUE"),
                "changed", List.of("1311280970"),
                "postalAddress", List.of("1234 Main St$Anytown"),
                "ou", List.of("A", "B"),
                "cn", List.of("Jane D.")));
    assertThat(
            PersonClaims.of(
                CONFIG,
                jane,
                List.of("email_verified", "updated_at", "address", "department", "roles", "groups", "name")))
        .containsExactly(
            Map.entry("email_verified", true),
            Map.entry("updated_at", 1311280970L),
            Map.entry("address", Map.of("formatted", "1234 Main St\nAnytown")),
            Map.entry("department", List.of("A", "B")),
            Map.entry("roles", List.of("a", "b")),
            Map.entry("groups", List.of("staff")),
            Map.entry("name", "Jane D."));
  }

  /** Whatever the value is, a client must not take an address for verified because of it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "1", "verified"})
  void verifiedIsTrueOrFalseOrNotSaid(String value) {
    assertThat(PersonClaims.of(CONFIG, jane(Map.of("mailVerified", List.of(value))), List.of("email_verified"))).isEmpty();
  }

  @Test
  void aRealmSaysWhatItsOwnScopesMean() {
    assertThat(ScopeClaims.of(CONFIG, List.of("roles"))).containsExactly("roles", "groups");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "null", "[]", "1", "{", "{\"userinfo\":1}", "{\"userinfo\":[]}", "{\"id_token\":\"x\"}",
        "{\"userinfo\":{},\"userinfo\":{}}", "{\"userinfo\":{\"a\":null}}{}"
      })
  void aClaimsParameterOfAnotherFormIsNone(String json) {
    assertThat(ClaimsRequest.parse(json)).isEmpty();
  }

  /** A name that is stored, shown or audited as several would be a consent to something that nobody saw. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "theme\\nemail\\noffline_access", "theme\\remail", "theme email", "theme,email", "theme\\u0000email",
        "theme\\u2028email", "theme\\u202eliame", "th\\u00e8me", "theme\\\"email", "theme\\\\nemail"
      })
  void aClaimsNameIsOneWord(String name) {
    assertThat(ClaimsRequest.parse("{\"userinfo\":{\"" + name + "\":null}}")).isEmpty();
    assertThat(ClaimsRequest.parse("{\"id_token\":{\"" + name + "\":null}}")).isEmpty();
  }

  @Test
  void aClaimsNameHasAtMost200Characters() {
    assertThat(ClaimsRequest.parse("{\"userinfo\":{\"" + "x".repeat(200) + "\":null}}")).isPresent();
    assertThat(ClaimsRequest.parse("{\"userinfo\":{\"" + "x".repeat(201) + "\":null}}")).isEmpty();
  }

  /** OpenID Connect Core 5.5: a claim of scopes needs one of them, and any client may have the others. */
  @Test
  void aClaimByItsNameNeedsAScopeThatReleasesIt() {
    String json =
        """
        {"userinfo": {"email": null, "phone_number": null, "groups": null, "department": null}, "id_token": {"address": null, "acr": null}}
        """;
    ClaimsRequest request = ClaimsRequest.parse(json).orElseThrow();
    assertThat(request.within(CONFIG, Set.of("openid", "email")).userInfo()).containsExactly("email", "department");
    assertThat(request.within(CONFIG, Set.of("openid", "email")).idToken()).containsExactly("acr");
    assertThat(request.within(CONFIG, Set.of("roles", "phone")).userInfo()).containsExactly("phone_number", "groups", "department");
    assertThat(request.within(CONFIG, Set.of("address")).idToken()).containsExactly("address", "acr");
  }

  /** Otherwise, a realm that takes a claim from a scope would give it to all clients. */
  @Test
  void aClaimThatARealmTookFromItsScopeIsForNobodyByItsName() {
    OAuthConfig own = config(Map.of("profile", List.of("name"), "work", List.of("department")), Map.of("department", "ou"));
    ClaimsRequest request =
        ClaimsRequest.parse("{\"userinfo\":{\"name\":null,\"given_name\":null,\"groups\":null,\"department\":null}}").orElseThrow();
    assertThat(request.within(own, Set.of("openid", "profile", "email")).userInfo()).containsExactly("name");
    assertThat(request.within(own, Set.of("work")).userInfo()).containsExactly("department");
  }

  /** OpenID Connect Core 5.5. */
  @Test
  void readsTheSpecificationsClaimsParameter() {
    String json =
        """
        {"userinfo": {"given_name": {"essential": true}, "nickname": null, "email": {"essential": true},
          "email_verified": {"essential": true}, "picture": null, "http://example.info/claims/groups": null},
         "id_token": {"auth_time": {"essential": true}, "acr": {"values": ["urn:mace:incommon:iap:silver"]}}}
        """;
    ClaimsRequest request = ClaimsRequest.parse(json).orElseThrow();
    assertThat(request.userInfo())
        .containsExactly(
            "given_name", "nickname", "email", "email_verified", "picture", "http://example.info/claims/groups");
    assertThat(request.idToken()).containsExactly("auth_time", "acr");
  }
}
