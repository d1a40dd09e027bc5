package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Secrets that a realm's file holds itself are masked, and everything else stays as it is. */
class SecretTextTest {

  @Test
  void masksDeclaredSecretsInEveryNotation() {
    String masked =
        SecretText.masked(
            """
            # \u00e9\ud83d\ude00 before
            directory:
              bindPassword: 'sec1 ret'   # kept
            keys: {pkcs12: realm.p12, password: sec2}
            clients:
              - clientId: web
                secret: >-
                  sec3
                  sec4
              - {clientId: api, secret: "${API_SECRET}"}
              - {clientId: odd, secret: "x${API_SECRET}sec5"}
            routes:
              - path: /
                inject: {basic: {user: user, password: sec6}}
                formFill: {fields: {token: "literal:sec7", username: user, pin: {secret: shop.pin}}}
              - path: /headers/
                inject: {Remote-User: user}
            """);
    assertThat(masked)
        .doesNotContain("sec1", "sec2", "sec3", "sec4", "sec5", "sec6", "sec7")
        .contains(
            "# \u00e9\ud83d\ude00 before\n",
            "  bindPassword: \"***\"   # kept\n",
            "keys: {pkcs12: realm.p12, password: \"***\"}\n",
            "secret: \"***\"\n  - {clientId: api, secret: \"${API_SECRET}\"}\n",
            "    inject: {Remote-User: user}\n",
            "fields: {token: \"***\", username: user, pin: {secret: shop.pin}}");
  }

  @Test
  void masksWhatMayHaveBeenASecretInComments() {
    assertThat(SecretText.masked("# secret: sec1\nbrand: {accent: \"#123456\"} # bindPassword: ${LDAP}\n# {password: sec2}, literal:sec3\n"))
        .isEqualTo("# secret: ***\nbrand: {accent: \"#123456\"} # bindPassword: ${LDAP}\n# {password: ***\n");
  }

  @Test
  void masksEveryLineOfWhatMayHaveBeenASecretInComments() {
    assertThat(
            SecretText.masked(
                """
                # clients:
                #   - secret: >-
                #       sec1

                #       password: sec2
                #
                #       sec3
                #     clientId: web
                #   - clientId: api
                """))
        .isEqualTo(
            """
            # clients:
            #   - secret: ***
            #       ***

            #       ***
            #
            #       ***
            #     clientId: web
            #   - clientId: api
            """);
  }

  @Test
  void masksSecretsOfNamedSectionsWhateverTheirNames() {
    assertThat(
            SecretText.masked(
                "radius: {clients: {vpn: {addresses: 192.0.2.1, secret: sec1}, secret: {secret: sec2}, clients: {secret: {secret: vpn.name}}}}\n"))
        .isEqualTo(
            "radius: {clients: {vpn: {addresses: 192.0.2.1, secret: \"***\"}, secret: {secret: \"***\"}, clients: {secret: {secret: vpn.name}}}}\n");
  }

  @Test
  void masksValuesOfUnknownKeys() {
    assertThat(SecretText.masked("directory: {bindPasword: sec1}\n")).isEqualTo("directory: {bindPasword: \"***\"}\n");
  }

  @Test
  void showsNothingOfWhatIsNotYaml() {
    assertThat(SecretText.masked("directory: {bindPassword: sec1\n")).doesNotContain("sec1");
  }
}
