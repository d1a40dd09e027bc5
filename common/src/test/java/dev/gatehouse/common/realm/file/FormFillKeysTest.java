package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Post;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.FormFillConfig.Type;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of {@code formFill}, and {@code credentialRelease}. */
class FormFillKeysTest {

  private static final String UPSTREAM = "    upstream: http://127.0.0.1:9000\n";

  @TempDir Path path;

  @Test
  void defaults() throws Exception {
    FormFillConfig fill = fill("    formFill: {form: {path: /login}, fields: {username: user, password: password}}\n");
    assertThat(fill)
        .isEqualTo(
            new FormFillConfig(
                "app",
                new FormRule("/login", Set.of(200), Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
                Map.of("username", new Source.User(), "password", new Source.Password()),
                Optional.empty(),
                Failure.NONE,
                Optional.empty(),
                20));
    assertThat(fill.needsPassword()).isTrue();
    assertThat(fill.stored()).isEmpty();
  }

  @Test
  void everyKey() throws Exception {
    FormFillConfig fill =
        fill(
            """
                formFill:
                  app: shop
                  form: {path: /login*, status: [200, 401], id: f, name: n, action: /do-login, fields: [csrf]}
                  fields: {user: mail, pin: "secret:pin", mode: "literal:x:y"}
                  post: {url: "/api/login?v=1", type: form, fields: {u: "secret:user", p: "secret:pin", c: "control:csrf"}}
                  failure: {status: [403], location: "/login?error*", text: Wrong}
                  landing: /start
                  perSession: 3
            """);
    assertThat(fill.app()).isEqualTo("shop");
    assertThat(fill.form())
        .isEqualTo(
            new FormRule(
                "/login*", Set.of(200, 401), Optional.of("f"), Optional.of("n"), Optional.of("/do-login"), List.of("csrf")));
    assertThat(fill.fields())
        .isEqualTo(
            Map.of(
                "user", new Source.Attribute("mail"), "pin", new Source.Stored("pin"), "mode",
                new Source.Literal(new Secret("x:y"))));
    assertThat(fill.post())
        .contains(
            new Post(
                "/api/login?v=1", Type.FORM,
                Map.of("u", new Source.Stored("user"), "p", new Source.Stored("pin"), "c", new Source.Control("csrf"))));
    assertThat(fill.failure()).isEqualTo(new Failure(Set.of(403), Optional.of("/login?error*"), Optional.of("Wrong")));
    assertThat(fill.successUrl()).contains("/start");
    assertThat(fill.perSession()).isEqualTo(3);
    assertThat(fill.stored()).containsExactly("user", "pin");
    assertThat(fill.needsPassword()).isFalse();
    assertThat(fill.toString()).doesNotContain("x:y");
  }

  @Test
  void credentialReleaseNeedsEncryptedAssertions() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(
        "    release: [uid, mail, roles, groups]\n",
        "    release: [uid, mail, roles, groups]\n    encrypt: [assertion]\n    credentialRelease: true\n");
    Realm realm = folder.load().realms().getFirst();
    assertThat(realm.parties().partners().stream().filter(p -> p.asServiceProvider().credentialRelease())).hasSize(1);
    assertThatThrownBy(() -> new AsServiceProvider(Set.of(Encrypted.NAME_ID), false, Optional.empty(), true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aClientCertificateBringsNoPassword() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    String fill = "    formFill: {form: {path: /login}, fields: {p: password}}\n";
    folder.demo(UPSTREAM, UPSTREAM + "    contract: certificate\n" + fill);
    assertThat(folder.problems().toString()).contains("contract: certificate has none");
  }

  private FormFillConfig fill(String yaml) throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(UPSTREAM, UPSTREAM + yaml);
    Realm realm = folder.load().realms().getFirst();
    return realm.gateway().routes().getFirst().identity().formFill().orElseThrow();
  }
}
