package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirect URIs at OpenID providers: one of its own for each alias, and the one that all others have. */
class ProviderKeysTest {

  private static final String SP = "sp:\n  publicUrl: http://app.localhost:8000\n";
  private static final String OWN = "http://idp.localhost:8080/realms/demo";

  @TempDir Path path;

  @Test
  void anAliasGivesAProviderARedirectUriOfItsOwn() {
    Realm realm = folder("\"https://a.example\", \"https://b.example\"", provider("a", ", alias: customers-2"), provider("b", "")).realm();

    assertThat(realm.provider("https://a.example").flatMap(ProviderConfig::alias)).contains("customers-2");
    assertThat(realm.provider("https://b.example").flatMap(ProviderConfig::alias)).isEmpty();
    assertThat(realm.sp().orElseThrow().openIdCallback(Optional.of("customers-2")))
        .isEqualTo("http://app.localhost:8000/.gatehouse/oidc/callback/customers-2");
    assertThat(realm.sp().orElseThrow().openIdCallback(Optional.empty())).isEqualTo("http://app.localhost:8000/.gatehouse/oidc/callback");
    assertThat(realm.sharingRedirectUri()).as("the other one is alone").isEmpty();
  }

  @Test
  void providersWithoutAliasShareOneIfPeopleLogInAtSeveral() {
    String own = "  - {issuer: \"" + OWN + "\", clientId: gatehouse}\n";
    assertThat(sharing("\"" + OWN + "\", \"https://a.example\"", own, provider("a", "")))
        .as("our own one is no danger, and is in none")
        .isEmpty();
    assertThat(sharing("\"https://a.example\"", provider("a", ""), provider("b", ""))).as("nobody logs in at the other one").isEmpty();
    assertThat(
            sharing(
                "\"https://a.example\", \"https://b.example\", \"https://c.example\"",
                provider("a", ""), provider("b", ""), provider("c", ", alias: c")))
        .containsExactly("https://a.example", "https://b.example");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Customers", "a/b", "..", "a b", "-a", "a-", "a%2fb", "ä"})
  void anAliasIsOnePlainPartOfAPath(String alias) {
    assertThat(folder("\"https://a.example\"", provider("a", ", alias: \"" + alias + "\"")).problems())
        .singleElement()
        .asString()
        .contains("providers[0].alias", "is no alias");
  }

  @Test
  void anAliasIsThatOfOneProviderWithAClientId() {
    assertThat(folder("\"https://a.example\"", provider("a", ", alias: x"), provider("b", ", alias: x")).problems())
        .singleElement()
        .asString()
        .contains("providers[1].alias", "is that of another provider, too", "give each one of its own");
    assertThat(folder("\"https://a.example\"", provider("a", ""), "  - {issuer: \"https://b.example\", alias: x}\n").problems())
        .singleElement()
        .asString()
        .contains("providers[1].alias", "has no effect without clientId");
  }

  private List<String> sharing(String identityProviders, String... providers) {
    return folder(identityProviders, providers).realm().sharingRedirectUri().stream().map(ProviderConfig::issuer).toList();
  }

  private static String provider(String name, String more) {
    return "  - {issuer: \"https://" + name + ".example\", clientId: gatehouse" + more + "}\n";
  }

  private ConfigurationFolder folder(String identityProviders, String... providers) {
    return ConfigurationFolder.minimal(path)
        .demo(SP, "providers:\n" + String.join("", providers) + SP + "  identityProvider: [" + identityProviders + "]\n");
  }
}
