package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.ClientAuthentication;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.FederationConfig;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.node.Node.AuditConfig;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.Listeners;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.Node.Tls;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.realm.PartnerConfig.RequestBinding;
import dev.gatehouse.common.realm.PartnerConfig.ResponseBinding;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.SpConfig.RequestedAttribute;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import dev.gatehouse.common.realm.ThemeConfig;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key with a value other than its default, and the resulting records. */
class EveryKeyTest {

  private static final SigningKey RSA = SamlFixtures.idpKey();
  private static final SigningKey EC = SamlFixtures.idpP256Key();

  @TempDir Path path;

  @Test
  void defaultsOfTheNode() {
    Node node = ConfigurationFolder.minimal(path).load().node();

    assertThat(node)
        .isEqualTo(
            new Node(
                Set.of(Role.IDP, Role.SP, Role.GATEWAY),
                new Listeners(
                    List.of(plain("0.0.0.0", 8080)), List.of(plain("0.0.0.0", 8000)), plain("127.0.0.1", 8081), Optional.empty(),
                    Optional.empty()),
                Storage.EMBEDDED,
                path.resolve("data"),
                List.of(),
                new AuditConfig(path.resolve("data/audit"), 64L << 20, Duration.ofDays(365)),
                0,
                List.of()));
  }

  @Test
  void everyKeyOfTheNode() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.pem("tls/idp", RSA).pem("tls/app", EC);
    folder.node(
        """
        roles: [idp, gateway]
        listeners:
          idp:
            - {address: 127.0.0.1, port: 0}
            - {port: 8444, certificate: tls/idp.pem, privateKey: tls/idp.key}
          gateway: {address: "::1", port: 8443, proxyProtocol: true, certificate: tls/app.pem, privateKey: tls/app.key}
          admin: {address: "*", port: 9000, certificate: tls/app.pem, privateKey: tls/app.key}
          certificateLogin: {port: 8446, certificate: tls/idp.pem, privateKey: tls/idp.key}
          clientCertificates: {port: 8447, certificate: tls/idp.pem, privateKey: tls/idp.key}
          metrics: {address: "*", port: 9001}
        admin: {realm: demo, publicUrl: "https://gatehouse.example.org:9000/"}
        outbound: {allow: 127.0.0.0/8}
        index: 3
        storage: volatile
        data: ../elsewhere
        trustedProxies: [10.0.0.0/8, 192.0.2.7, "2001:db8::/32"]
        forwardedFields: forwarded
        audit:
          {directory: /var/log/gatehouse, maxFileSize: 1GB, keep: 30d, searchable: 7d,
           archive: {after: 10d, to: /mnt/archive, compress: gzip}, syslog: [{host: syslog.example.org}, {host: 192.0.2.1, port: 7000, leaveOut: [SessionEnded]}],
           leaveOut: [TokensIssued], unsearchable: [AssertionIssued, AccountingReceived]}
        space: {warning: 10GB, low: 2GB, reserve: 64MB}
        """);
    String four = "\n  artifactNodes: [http://n0.localhost, http://n1.localhost, http://n2.localhost, http://n3.localhost]\n";
    folder.demo(ConfigurationFolder.MINIMAL.replaceAll("(publicUrl: .*)\n", "$1" + four));
    Optional<Tls> idpTls = Optional.of(new Tls(path.resolve("tls/idp.pem"), path.resolve("tls/idp.key")));
    Optional<Tls> appTls = Optional.of(new Tls(path.resolve("tls/app.pem"), path.resolve("tls/app.key")));

    assertThat(folder.load().node())
        .isEqualTo(
            new Node(
                Set.of(Role.IDP, Role.GATEWAY),
                new Listeners(
                    List.of(plain("127.0.0.1", 0), new Listener(address("0.0.0.0", 8444), idpTls)),
                    List.of(new Listener(address("::1", 8443), appTls, List.of(), Optional.empty(), true)),
                    new Listener(address("0.0.0.0", 9000), appTls),
                    Optional.of(new Listener(address("0.0.0.0", 8446), idpTls)),
                    Optional.of(new Listener(address("0.0.0.0", 8447), idpTls)),
                    Optional.of(plain("0.0.0.0", 9001)),
                    Optional.of(new AdminLogin("demo", new Origin("https", "gatehouse.example.org", 9000)))),
                new Node.State(Storage.VOLATILE, path.resolveSibling("elsewhere"), Optional.empty()),
                new TrustedProxies(
                    List.of(
                        new Cidr(InetAddress.ofLiteral("10.0.0.0"), 8),
                        new Cidr(InetAddress.ofLiteral("192.0.2.7"), 32),
                        new Cidr(InetAddress.ofLiteral("2001:db8::"), 32)),
                    TrustedProxies.ForwardedFields.FORWARDED),
                new AuditConfig(
                    Path.of("/var/log/gatehouse"), 1L << 30, Duration.ofDays(30), Duration.ofDays(7),
                    Optional.of(new AuditConfig.Archive(Duration.ofDays(10), Path.of("/mnt/archive"))),
                    List.of(
                        new AuditConfig.SyslogReceiver("syslog.example.org", 6514, List.of()),
                        new AuditConfig.SyslogReceiver("192.0.2.1", 7000, List.of(), Set.of("SessionEnded"))),
                    Set.of("TokensIssued"), Set.of("AssertionIssued", "AccountingReceived")),
                OptionalInt.of(3),
                new Node.Outbound(List.of(new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8)), List.of()),
                GatewayNodeConfig.USUAL,
                new SpaceConfig(10L << 30, 2L << 30, 64L << 20)));
  }

  @Test
  void nodesOfSharedStorageTakeAFreeIndexUnlessTheyHaveOne() throws Exception {
    String shared =
        "storage: shared\nmasterKey: " + Base64.getEncoder().encodeToString(new byte[32])
            + "\npostgresql: {url: postgresql://127.0.0.1/postgres, user: gatehouse, password: secret}\nvalkey: {server: 127.0.0.1:6379, tls: false}\n";
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node(shared);
    assertThat(folder.load().node().index()).isEmpty();
    folder.node(shared + "index: auto");
    assertThat(folder.load().node().index()).isEmpty();
    folder.node(shared + "index: 7");
    assertThat(folder.load().node().index()).hasValue(7);

    folder.node("index: auto");
    assertThat(folder.problems().toString()).contains("is auto, but this node shares no table of nodes with others", "storage: shared");
    folder.node(shared + "index: next");
    assertThat(folder.problems().toString()).contains("is not a number from 0 to 65535");
  }

  @Test
  void theConsoleOfPeopleIsAtTheAdminListenerUnlessConfigured() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node("admin: {realm: demo}");
    AdminLogin login = folder.load().node().listeners().adminLogin().orElseThrow();
    assertThat(login).isEqualTo(new AdminLogin("demo", new Origin("http", "localhost", 8081)));
    assertThat(login.redirectUri()).isEqualTo("http://localhost:8081/console/login/callback");
  }

  @Test
  void theRealmOfAdministratorsMustHaveAnIdentityProviderHere() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(problem(folder, "admin: {realm: nowhere}")).contains("admin.realm", "names no realm of this configuration");
    assertThat(problem(folder, "admin: {}")).contains("admin.realm");
    assertThat(problem(folder, "admin: {realm: Demo}")).contains("is not the name of a realm");
    assertThat(problem(folder, "roles: [sp, gateway]\nadmin: {realm: demo}")).contains("has no identity provider");
    assertThat(problem(folder, "listeners: {admin: {port: 0}}\nadmin: {realm: demo}")).contains("needs publicUrl");
    assertThat(problem(folder, "admin: {realm: demo, publicUrl: http://gatehouse.example.org}")).contains("clear text");
  }

  @Test
  void noClientIsCalledAsTheConsole() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(ConfigurationFolder.MINIMAL + "clients: [{clientId: gatehouse-console, redirectUris: \"https://evil.example/\"}]\n");
    assertThatThrownBy(folder::load).hasMessageContaining("is that of Gatehouse's own console");
  }

  private static String problem(ConfigurationFolder folder, String node) throws Exception {
    folder.node(node);
    return String.valueOf(assertThatThrownBy(folder::load).actual().getMessage());
  }

  @Test
  void theLabelsOfMetricsAreBounded() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(folder.load().node().gateway().labelValues()).isEqualTo(200);
    folder.node("metrics: {labelValues: 7}");
    assertThat(folder.load().node().gateway().labelValues()).isEqualTo(7);
  }

  @Test
  void tracingIsOffUnlessThereIsACollector() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(folder.load().node().gateway().tracing()).isEmpty();
    folder.node("tracing: {endpoint: 'http://collector.example:4318/v1/traces'}");
    URI endpoint = URI.create("http://collector.example:4318/v1/traces");
    assertThat(folder.load().node().gateway().tracing()).contains(new TracingConfig(endpoint, 0.01, "gatehouse", Optional.empty()));
    folder.node("tracing: {endpoint: 'https://c.example/t', sample: 0.5%, service: sso, authorization: Bearer secret}");
    TracingConfig tracing = folder.load().node().gateway().tracing().orElseThrow();
    assertThat(tracing)
        .isEqualTo(new TracingConfig(URI.create("https://c.example/t"), 0.005, "sso", Optional.of(new Secret("Bearer secret"))));
    assertThat(tracing.toString()).doesNotContain("Bearer");
  }

  @Test
  void everyKeyOfAnalytics() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(folder.load().node().gateway().analytics()).isEqualTo(AnalyticsNodeConfig.USUAL);
    folder.node("analytics: {minutes: 1d, hours: 30d, days: 400d, patterns: 7d, values: 9, places: city.mmdb}");
    assertThat(folder.load().node().gateway().analytics())
        .isEqualTo(
            new AnalyticsNodeConfig(
                Duration.ofDays(1), Duration.ofDays(30), Duration.ofDays(400), Duration.ofDays(7), 9, Optional.of(path.resolve("city.mmdb"))));
  }

  @Test
  void theListenerOfMetricsIsOnLoopbackUnlessConfigured() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node("listeners: {metrics: {}}");
    assertThat(folder.load().node().listeners().metrics()).contains(plain("127.0.0.1", 8082));
    folder.node("listeners: {admin: {port: 9000}}");
    assertThat(folder.load().node().listeners().metrics()).isEmpty();
  }

  @Test
  void defaultsOfAMinimalRealm() {
    Realm realm = ConfigurationFolder.minimal(path).realm();

    SessionTimeouts life = new SessionTimeouts(Duration.ofMinutes(30), Duration.ofHours(8));
    assertThat(realm.name()).isEqualTo("demo");
    assertThat(realm.brand()).isEqualTo(TestRealms.brand("demo"));
    assertThat(realm.keys()).isEqualTo(new KeyConfig(KeyAlgorithm.RSA_2048, Optional.empty()));
    assertThat(realm.idp())
        .contains(
            new IdpConfig(
                URI.create("http://idp.localhost:8080"),
                false,
                true,
                life,
                new ThrottleConfig(10, 100, Duration.ofMinutes(15)),
                Duration.ofMinutes(5),
                ContractsConfig.FORM_ALONE,
                List.of(URI.create("http://idp.localhost:8080")),
                OAuthConfig.USUAL, false));
    assertThat(realm.federation()).isEqualTo(FederationConfig.IN_DATABASE);
    assertThat(realm.sp())
        .contains(
            new SpConfig(
                URI.create("http://app.localhost:8000"),
                List.of(),
                List.of("http://idp.localhost:8080/realms/demo"),
                false,
                life,
                new SubjectMapping("uid", "roles", "groups"),
                List.of(),
                List.of(URI.create("http://app.localhost:8000")),
                new SpConfig.TimeBounds(Duration.ofSeconds(60), Duration.ofDays(1))));
    assertThat(realm.directory())
        .contains(
            new DirectoryConfig(
                List.of(new Server("localhost", 10389)),
                Security.PLAIN_LOOPBACK,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new DirectoryConfig.People("dc=example,dc=org",
                "(&(objectClass=person)(uid={name}))",
                "entryUUID",
                "uid",
                Map.of(
                    "uid", "uid", "cn", "cn", "givenName", "givenName", "sn", "sn", "displayName", "displayName",
                    "mail", "mail")),
                new GroupConfig("dc=example,dc=org", "(member={dn})", "cn", Map.of()),
                new DirectoryConfig.Pool(16,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5))));
    String idp = "http://idp.localhost:8080/realms/demo";
    String sp = "http://app.localhost:8000/.gatehouse/saml/metadata";
    assertThat(realm.parties().partners())
        .containsExactly(
            TestRealms.partner(idp, idp + "/saml/metadata", Map.of()),
            TestRealms.partner(
                sp, sp, Map.of("uid", "uid", "mail", "mail", "roles", "roles", "groups", "groups")));
    assertThat(realm.gateway().routes())
        .containsExactly(
            new RouteConfig(
                "/", new GatewayConfig.Match(Set.of("app.localhost"), "/"), URI.create("http://127.0.0.1:9000"),
                new Access.Protected(), Map.of("Remote-User", "user", "Remote-Groups", "groups"),
                GatewayConfig.SignOn.USUAL));
    assertThat(realm.parties().providers()).isEmpty();
  }

  @Test
  void everyKeyOfARealm() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.pem("realms/ca", RSA).pem("realms/federation", EC);
    folder.write("realms/bank.json", "{\"keys\":[]}");
    folder.write("realms/logo.SVG", "<svg/>").write("realms/error.html", "<main>${a} <p th:text=\"${reference}\">1</p></main>").write("realms/partner.xml", "<x/>");
    folder.pkcs12("realms/realm.p12", RSA, "pass word");
    PeopleCa people = PeopleCa.create("CN=People CA", SamlFixtures.NOW);
    X509CRL revoked = people.revoked();
    folder.write("realms/people-ca.pem", PeopleCa.pem("CERTIFICATE", people.certificate().getEncoded()));
    folder.write(
        "realms/models.json",
        "{\"entries\":[{\"aaguid\":\"" + new UUID(1, 2) + "\",\"metadataStatement\":{\"attestationRootCertificates\":[\""
            + Base64.getEncoder().encodeToString(people.certificate().getEncoded()) + "\"]}}]}");
    folder.write("realms/people.crl", PeopleCa.pem("X509 CRL", revoked.getEncoded()));
    folder.write("realms/secrets/bind", "b:nd\n");
    folder.environment.put("P12", "pass word");
    folder.environment.put("BIND_FILE", "secrets/bind");
    folder.environment.put("HOST", "ldap1.example.org");
    folder.pem("tls", RSA);
    folder.node(
        """
        trustedProxies: 10.0.0.1
        listeners: {certificateLogin: {certificate: tls.pem, privateKey: tls.key}}
        """);
    folder.demo(
        """
        brand: {displayName: Löwen & Co, accent: "#A0B1C2", logo: logo.SVG, description: What we do,
          privacyUrl: "https://example.org/privacy", informationUrl: "https://example.org/help",
          light: {background: "#eeeeee", card: "#FFFFFF", text: "#111111"}, dark: {card: "#222222"},
          texts: {en: {error.reason: Why}, de: {error.reason: Weshalb}}, templates: {error: error.html}}
        keys: {pkcs12: realm.p12, password: "${P12}", algorithm: RSA_2048, encryptionKey: none}
        idp:
          publicUrl: HTTPS://ID.example.org:443/
          directLogin: true
          unsolicited: false
          signedRequests: true
          session: {idle: 10m, absolute: PT1H30M}
          throttle: {perAccount: 3, perAddress: 30, window: 1h}
          assertionLife: 90s
          contracts:
            basic: true
            secondFactor: required
            passkeys: {rpId: example.org, offer: false, relatedOrigins: [https://id.example.com], attestation: models.json}
            totp: {issuer: Example Inc, digits: 8}
            certificate: {publicUrl: "https://id.example.org:8444", ca: people-ca.pem, field: sanMail, attribute: mail,
              crl: people.crl}
          artifactNodes: [https://id-0.example.org, https://id-1.example.org]
          oauth: {accessTokenLife: 2m, refreshTokenLife: 7d, codeLife: 30s, deviceCodeLife: 5m, pushedLife: 60s,
            registration: token, scopes: {payments: account}, claims: {account: login},
            certificateUrl: "https://id.example.org:8447", certificateCa: people-ca.pem}
        sp:
          publicUrl: https://app.example.org:8443
          otherOrigins: [https://wiki.example.org, https://app.example.org:8443]
          identityProvider: [urn:example:idp, https://sp.example.org]
          unsolicited: true
          session: {idle: 1h, absolute: 1d}
          subject: {user: urn:oid:0.9.2342.19200300.100.1.1, roles: role, groups: memberOf}
          times: {ahead: 5s, validity: 10m}
          requestedAttributes: [mail, "uid!"]
          artifactNodes: https://app-0.example.org
        federation: {store: directory, attribute: samlFederation}
        directory:
          urls: ["ldap://${HOST}", "ldap://[2001:db8::1]:1389"]
          startTls: true
          trust: ca.pem
          bindDn: cn=gatehouse,dc=example,dc=org
          bindPassword: ${BIND}
          base: ou=people,dc=example,dc=org
          filter: (&(objectClass=user)(sAMAccountName={name}))
          idAttribute: objectGUID
          nameAttribute: sAMAccountName
          attributes: {login: sAMAccountName, mail: mail}
          groups:
            base: ou=groups,dc=example,dc=org
            filter: (&(objectClass=group)(member={dn}))
            nameAttribute: name
            most: 2500
            roles: {manager: [board, "Team leads"], employee: staff}
          poolSize: 4
          connectTimeout: 500ms
          responseTimeout: 1m
        partners:
          - entityId: urn:example:idp
            displayName: The other idp
            metadata: {url: http://md.example.org/idp, verifyWith: federation.pem, refresh: 10m}
            logout: soap
            request: artifact
            response: artifact
            requestNameId: persistent
            link: {attribute: uid, matches: login}
            scopes: [example.org, sub.example.org]
            accept: {role: [staff, "app-*"], affiliation: member}
            plainHttp: true
          - entityId: https://sp.example.org
            metadata: {file: partner.xml, verifyWith: federation.pem}
            release: {urn:oid:0.9.2342.19200300.100.1.3: mail, role: roles, eppn: mail@example.org}
            nameId: persistent
            request: post
            link: login
            encrypt: [assertion, nameId]
            consent: true
            contract: totp
          - entityId: https://short.example.org
            metadata: partner.xml
            nameId: urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress
          - entityId: https://url.example.org
            metadata: https://url.example.org/md
            release: login
            nameId: EMAIL
        clients:
          - {clientId: app, secret: quiet, redirectUris: "https://app.example.org/cb"}
          - clientId: bank
            displayName: The bank
            certificate: {subjectDn: "CN=bank,O=Example"}
            authentication: [certificate, privateKeyJwt]
            jwks: bank.json
            grants: [code, refresh, clientCredentials, device, password, implicit, hybrid]
            redirectUris: ["https://bank.example.org/cb", "http://127.0.0.1/cb", "org.example.bank:/cb"]
            scopes: [openid, payments]
            resources: https://api.example.org
            passcodes: {roles: [vpn], perSecond: 20, offlineDays: 3, visitors: true}
            subject: pairwise
            sector: example.org
            consent: true
            contract: totp
            pkce: false
            pushedRequests: true
            signedRequests: true
            requestUris: https://bank.example.org/request.jwt
            requestAlgorithm: ES256
            authenticationAlgorithm: PS256
            defaultMaxAge: 1h
            requireAuthTime: true
            defaultAcrValues: urn:example:strong
            accessToken: {format: opaque, algorithm: EdDSA, life: 1m}
            refreshToken: {life: 1d, grace: 10s}
            idToken: {algorithm: PS256, keyEncryption: ECDH-ES, encryption: A128GCM}
            userInfo: {algorithm: ES256, keyEncryption: RSA-OAEP-256, encryption: A128CBC-HS256}
            binding: dpop
            logout: {redirectUris: "https://bank.example.org/bye", frontChannel: "https://bank.example.org/front",
              frontChannelSession: false, backChannel: "https://bank.example.org/back", backChannelSession: false}
            about: {home: "https://bank.example.org", logo: "https://bank.example.org/logo.png",
              policy: "https://bank.example.org/privacy", terms: "https://bank.example.org/terms",
              initiateLogin: "https://bank.example.org/login", contacts: it@example.org}
        routes:
          - {path: /static/, upstream: "https://cdn.example.org/base", access: public, hosts: wiki.example.org}
          - name: office
            hosts: [WIKI.example.org, app.example.org]
            path: /office
            upstream: http://10.1.2.3:8080
            roles: [manager, employee]
            inject: {X-User: user, X-Mail: mail}
            replayPosts: true
            identityProvider: urn:example:idp
            authnContext: [https://refeds.org/profile/mfa, urn:example:strong]
          - {path: /me/, upstream: "http://10.1.2.3", access: protected, inject: {}}
          - {path: /api/, upstream: "http://10.1.2.3", inject: {},
            bearer: {issuer: "https://login.example.org/", audience: "https://api.example.org"}}
          - path: /strict/
            upstream: http://10.1.2.3
            inject: {}
            bearer: {issuer: "https://login.example.org/", audience: ["https://api.example.org", strict],
              verification: introspection, cache: 2s, scopes: [read, write], dpop: required, forwardToken: true}
        providers:
          - issuer: https://login.example.org/
            displayName: Customers
            clientId: gatehouse
            alias: customers
            secret: quiet
            authentication: post
            scopes: [email]
            claims: {user: preferred_username, roles: realm_roles, groups: teams}
            userInfo: true
            accept: {realm_roles: staff, authnContext: ["urn:mfa"]}
          - {issuer: "https://keys.example.org", clientId: gh, authentication: privateKeyJwt}
          - {issuer: "https://basic.example.org", clientId: gh, secret: quiet, authentication: basic}
          - {issuer: "http://127.0.0.1:9443"}
        """);

    Realm realm = folder.realm();

    assertThat(realm.brand())
        .isEqualTo(
            new BrandConfig(
                "Löwen & Co",
                "#a0b1c2",
                Optional.of("data:image/svg+xml;base64,PHN2Zy8+"),
                Optional.of("What we do"),
                Optional.of(URI.create("https://example.org/privacy")),
                Optional.of(URI.create("https://example.org/help")),
                new ThemeConfig(
                    new Colours(Optional.of("#eeeeee"), Optional.of("#ffffff"), Optional.of("#111111")),
                    new Colours(Optional.empty(), Optional.of("#222222"), Optional.empty()),
                    Map.of("en", Map.of("error.reason", "Why"), "de", Map.of("error.reason", "Weshalb")),
                    realm.brand().theme().templates())));
    assertThat(realm.brand().theme().templates().get("error")).contains("<main>${a} <p th:text=\"${reference}\">1</p></main>");
    assertThat(realm.federation())
        .isEqualTo(new FederationConfig(FederationConfig.Store.DIRECTORY, "samlFederation"));
    assertThat(realm.keys())
        .isEqualTo(
            new KeyConfig(
                KeyAlgorithm.RSA_2048,
                Optional.of(new KeyConfig.KeyFiles.Pkcs12(path.resolve("realms/realm.p12"), new Secret("pass word"))),
                false));
    assertThat(realm.idp())
        .contains(
            new IdpConfig(
                URI.create("https://id.example.org"),
                true,
                false,
                new SessionTimeouts(Duration.ofMinutes(10), Duration.ofMinutes(90)),
                new ThrottleConfig(3, 30, Duration.ofHours(1)),
                Duration.ofSeconds(90),
                new ContractsConfig(
                    true,
                    ContractsConfig.SecondFactor.REQUIRED,
                    new ContractsConfig.Totp(Optional.of("Example Inc"), 8),
                    Optional.of(
                        new ContractsConfig.CertificateLogin(
                            URI.create("https://id.example.org:8444"),
                            List.of(people.certificate()),
                            ContractsConfig.CertificateField.SAN_MAIL,
                            "mail",
                            List.of(revoked))),
                    Optional.empty(),
                    Optional.of(new ContractsConfig.Passkeys(
                        "example.org", false, List.of(URI.create("https://id.example.com")),
                        List.of(new ContractsConfig.AuthenticatorModel(new UUID(1, 2), List.of(people.certificate()))))),
                    Optional.empty()),
                List.of(URI.create("https://id-0.example.org"), URI.create("https://id-1.example.org")),
                new OAuthConfig(
                    Duration.ofMinutes(2),
                    Duration.ofDays(7),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(60),
                    OAuthConfig.Registration.TOKEN,
                    Map.of("payments", List.of("account")),
                    withAccount(),
                    Optional.of(URI.create("https://id.example.org:8447")),
                    List.of(people.certificate())),
                true));
    assertThat(realm.parties().clients()).containsExactly(plainClient(), bank());
    assertThat(realm.sp())
        .contains(
            new SpConfig(
                URI.create("https://app.example.org:8443"),
                List.of(new Origin("https", "wiki.example.org", 443)),
                List.of("urn:example:idp", "https://sp.example.org"),
                true,
                new SessionTimeouts(Duration.ofHours(1), Duration.ofDays(1)),
                new SubjectMapping("urn:oid:0.9.2342.19200300.100.1.1", "role", "memberOf"),
                List.of(new RequestedAttribute("mail", false), new RequestedAttribute("uid", true)),
                List.of(URI.create("https://app-0.example.org")),
                new SpConfig.TimeBounds(Duration.ofSeconds(5), Duration.ofMinutes(10))));
    assertThat(realm.directory())
        .contains(
            new DirectoryConfig(
                List.of(new Server("ldap1.example.org", 389), new Server("2001:db8::1", 1389)),
                Security.START_TLS,
                Optional.of(path.resolve("realms/ca.pem")),
                Optional.of("cn=gatehouse,dc=example,dc=org"),
                Optional.of(new Secret("b:nd")),
                new DirectoryConfig.People("ou=people,dc=example,dc=org",
                "(&(objectClass=user)(sAMAccountName={name}))",
                "objectGUID",
                "sAMAccountName",
                Map.of("login", "sAMAccountName", "mail", "mail")),
                new GroupConfig(
                    "ou=groups,dc=example,dc=org",
                    "(&(objectClass=group)(member={dn}))",
                    "name",
                    Map.of("manager", List.of("board", "Team leads"), "employee", List.of("staff")),
                    2500),
                new DirectoryConfig.Pool(4,
                Duration.ofMillis(500),
                Duration.ofMinutes(1))));
    everyPartner(realm);
    everyRoute(realm);
    everyProvider(realm);
  }

  private void everyPartner(Realm realm) {
    Optional<Path> federation = Optional.of(path.resolve("realms/federation.pem"));
    Path file = path.resolve("realms/partner.xml");
    assertThat(realm.parties().partners())
        .containsExactly(
            new PartnerConfig(
                "urn:example:idp",
                Optional.of("The other idp"),
                new MetadataSource.Url(URI.create("http://md.example.org/idp"), federation, Duration.ofMinutes(10)),
                Map.of(),
                NameIdFormat.TRANSIENT,
                Logout.SOAP,
                AsServiceProvider.PLAIN,
                new AsIdentityProvider(
                    RequestBinding.ARTIFACT,
                    ResponseBinding.ARTIFACT,
                    Optional.of(NameIdFormat.PERSISTENT),
                    new Link.ByAttribute("uid", "login"),
                    List.of("example.org", "sub.example.org"),
                    Map.of("role", List.of("staff", "app-*"), "affiliation", List.of("member"))),
                true),
            new PartnerConfig(
                "https://sp.example.org",
                Optional.empty(),
                new MetadataSource.File(file, federation),
                Map.of(
                    "urn:oid:0.9.2342.19200300.100.1.3", Release.of("mail"),
                    "role", Release.of("roles"),
                    "eppn", new Release("mail", Optional.of("example.org"))),
                NameIdFormat.PERSISTENT,
                Logout.FRONT,
                new AsServiceProvider(
                    Set.of(Encrypted.ASSERTION, Encrypted.NAME_ID), true, Optional.of("totp")),
                new AsIdentityProvider(
                    RequestBinding.POST,
                    ResponseBinding.POST,
                    Optional.empty(),
                    new Link.ByLogin(),
                    List.of(),
                    Map.of()), false),
            new PartnerConfig(
                "https://short.example.org",
                Optional.empty(),
                new MetadataSource.File(file, Optional.empty()),
                Map.of(),
                NameIdFormat.EMAIL,
                Logout.FRONT,
                AsServiceProvider.PLAIN,
                AsIdentityProvider.PLAIN, false),
            new PartnerConfig(
                "https://url.example.org",
                Optional.empty(),
                url("https://url.example.org/md"),
                Map.of("login", Release.of("login")),
                NameIdFormat.EMAIL,
                Logout.FRONT,
                AsServiceProvider.PLAIN,
                AsIdentityProvider.PLAIN, false));
  }

  private static void everyRoute(Realm realm) {
    assertThat(realm.gateway().routes())
        .containsExactly(
            new RouteConfig(
                "wiki.example.org/static/", new GatewayConfig.Match(Set.of("wiki.example.org"), "/static/"),
                URI.create("https://cdn.example.org/base"), new Access.Public(), Map.of(),
                GatewayConfig.SignOn.USUAL),
            new RouteConfig(
                "office", new GatewayConfig.Match(Set.of("wiki.example.org", "app.example.org"), "/office"),
                URI.create("http://10.1.2.3:8080"), new Access.RequiresRole(Set.of("manager", "employee")),
                Map.of("X-User", "user", "X-Mail", "mail"),
                GatewayConfig.SignOn.form(true, Optional.of("urn:example:idp"), List.of("https://refeds.org/profile/mfa", "urn:example:strong"),
                    Optional.empty())),
            new RouteConfig(
                "/me/", new GatewayConfig.Match(Set.of("wiki.example.org", "app.example.org"), "/me/"),
                URI.create("http://10.1.2.3"), new Access.Protected(), Map.of(),
                GatewayConfig.SignOn.USUAL),
            api(
                "/api/",
                new BearerConfig(
                    List.of("https://login.example.org/"),
                    List.of("https://api.example.org"),
                    new Verification.Jwt(),
                    List.of(),
                    false,
                    false)),
            api(
                "/strict/",
                new BearerConfig(
                    List.of("https://login.example.org/"),
                    List.of("https://api.example.org", "strict"),
                    new Verification.Introspection(Duration.ofSeconds(2)),
                    List.of("read", "write"),
                    true,
                    true)));
  }

  private static RouteConfig api(String path, BearerConfig bearer) {
    return new RouteConfig(
        path, new GatewayConfig.Match(Set.of("wiki.example.org", "app.example.org"), path), URI.create("http://10.1.2.3"),
        new Access.Protected(), Map.of(), GatewayConfig.SignOn.form(false, Optional.empty(), List.of(), Optional.of(bearer)));
  }

  private static void everyProvider(Realm realm) {
    assertThat(realm.parties().providers())
        .containsExactly(
            new ProviderConfig(
                "https://login.example.org/",
                Optional.of("Customers"),
                Optional.of(
                    new ProviderConfig.Client(
                        "gatehouse", new ProviderConfig.Proof.SecretPost(new Secret("quiet")), Optional.of("customers"))),
                List.of("openid", "email"),
                new ProviderConfig.SubjectClaims("preferred_username", "realm_roles", "teams"),
                true,
                Map.of("realm_roles", List.of("staff"), "authnContext", List.of("urn:mfa"))),
            new ProviderConfig(
                "https://keys.example.org",
                Optional.empty(),
                Optional.of(new ProviderConfig.Client("gh", new ProviderConfig.Proof.PrivateKeyJwt())),
                List.of("openid", "profile", "email"),
                ProviderConfig.SubjectClaims.USUAL,
                false),
            new ProviderConfig(
                "https://basic.example.org",
                Optional.empty(),
                Optional.of(
                    new ProviderConfig.Client("gh", new ProviderConfig.Proof.SecretBasic(new Secret("quiet")))),
                List.of("openid", "profile", "email"),
                ProviderConfig.SubjectClaims.USUAL,
                false),
            new ProviderConfig(
                "http://127.0.0.1:9443",
                Optional.empty(),
                Optional.empty(),
                List.of("openid", "profile", "email"),
                ProviderConfig.SubjectClaims.USUAL,
                false));
  }

  @Test
  void authoritiesForCallsOfOurs() throws Exception {
    PeopleCa own = PeopleCa.create("CN=Private CA", Instant.now());
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.write("tls/private-ca.pem", ConfigurationFolder.pem("CERTIFICATE", own.certificate().getEncoded()));

    assertThat(folder.load().node().outbound()).isEqualTo(new Node.Outbound(List.of(), List.of()));
    folder.node("outbound: {ca: tls/private-ca.pem, allow: 10.1.0.0/16}");
    assertThat(folder.load().node().outbound())
        .isEqualTo(
            new Node.Outbound(
                List.of(new Cidr(InetAddress.ofLiteral("10.1.0.0"), 16)), List.of(own.certificate())));
  }

  @Test
  void listenersOfTheGatewayHaveSeveralCertificatesAndAskForTheClients() throws Exception {
    PeopleCa people = PeopleCa.create("CN=People CA", Instant.now());
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).pem("a", RSA).pem("b", EC);
    folder.write("people.pem", ConfigurationFolder.pem("CERTIFICATE", people.certificate().getEncoded()));
    Tls first = new Tls(path.resolve("a.pem"), path.resolve("a.key"));
    Tls second = new Tls(path.resolve("b.pem"), path.resolve("b.key"));
    String both = "certificates: [{certificate: a.pem, privateKey: a.key}, {certificate: b.pem, privateKey: b.key}]";

    folder.node("listeners: {gateway: {" + both + ", clientCertificates: {ca: people.pem}}}");
    assertThat(folder.load().node().listeners().gateway().getFirst())
        .returns(Optional.of(first), Listener::tls)
        .returns(List.of(second), Listener::further)
        .returns(Optional.of(path.resolve("people.pem")), Listener::clientAuthorities);
    folder.node("listeners: {gateway: {certificate: b.pem, privateKey: b.key, " + both + "}}");
    assertThat(folder.load().node().listeners().gateway().getFirst().certificates())
        .containsExactly(second, first, second);
  }

  @Test
  void howARouteFindsOutWhoAsks() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    String route = "    upstream: http://127.0.0.1:9000\n";

    assertThat(folder.realm().gateway().routes().getFirst())
        .returns(SignOnContract.FORM, r -> r.signOn().contract())
        .returns(SessionDemand.NONE, r -> r.signOn().session());
    folder.demo(route, route + "    contract: basic\n    session: {idle: 5m, absolute: 1h}\n");
    assertThat(folder.realm().gateway().routes().getFirst())
        .returns(new SignOnContract.Basic(Duration.ofMinutes(1)), r -> r.signOn().contract())
        .returns(
            new SessionDemand(Optional.of(Duration.ofMinutes(5)), Optional.of(Duration.ofHours(1))),
            r -> r.signOn().session());
    folder.demo(route, route + "    contract: basic\n    passwordCache: 0s\n    session: {absolute: 30s}\n");
    assertThat(folder.realm().gateway().routes().getFirst())
        .returns(new SignOnContract.Basic(Duration.ZERO), r -> r.signOn().contract())
        .returns(new SessionDemand(Optional.empty(), Optional.of(Duration.ofSeconds(30))), r -> r.signOn().session());
  }

  @Test
  void profileFapi2SaysWhatAClientMustDo() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.write("realms/keys.json", "{\"keys\":[]}");
    String client =
        "clients: [{clientId: a, redirectUris: \"https://a/cb\", authentication: privateKeyJwt, jwks: keys.json, profile: fapi2";

    folder.demo("idp:\n", client + "}]\nidp:\n");
    ClientConfig byWord = folder.realm().parties().clients().getFirst();
    assertThat(byWord.followsFapi2()).isTrue();
    assertThat(byWord.requests()).returns(true, ClientConfig.Requests::pushed).returns(true, ClientConfig.Requests::pkce);
    assertThat(byWord.tokens())
        .returns(ClientConfig.Binding.DPOP, ClientConfig.Tokens::binding)
        .returns(ClientConfig.JwsName.ES256, ClientConfig.Tokens::accessTokenAlgorithm)
        .returns(ClientConfig.JwsName.ES256, ClientConfig.Tokens::idTokenAlgorithm);

    folder.demo(
        "idp:\n", client + ", binding: certificate, idToken: {algorithm: PS256}, accessToken: {algorithm: EdDSA}}]\nidp:\n");
    assertThat(folder.realm().parties().clients().getFirst().tokens())
        .returns(ClientConfig.Binding.CERTIFICATE, ClientConfig.Tokens::binding)
        .returns(ClientConfig.JwsName.EDDSA, ClientConfig.Tokens::accessTokenAlgorithm)
        .returns(ClientConfig.JwsName.PS256, ClientConfig.Tokens::idTokenAlgorithm);

    folder.demo("idp:\n", client + ", binding: dpopNonce}]\nidp:\n");
    assertThat(folder.realm().parties().clients().getFirst())
        .returns(true, ClientConfig::followsFapi2)
        .returns(ClientConfig.Binding.DPOP_NONCE, c -> c.tokens().binding());
  }

  @Test
  void aKeyInPemFilesTellsItsAlgorithm() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).pem("realms/k", EC);
    folder.demo("idp:\n", "keys: {privateKey: k.key, certificate: k.pem}\nidp:\n");

    assertThat(folder.realm().keys())
        .isEqualTo(
            new KeyConfig(
                KeyAlgorithm.P_256,
                Optional.of(
                    new KeyConfig.KeyFiles.Pem(path.resolve("realms/k.key"), path.resolve("realms/k.pem")))));
  }

  @Test
  void aPlainDollarIsPossible() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo("idp:\n", "brand: {displayName: \"a $${B} $ c\"}\nidp:\n");

    assertThat(folder.realm().brand().displayName()).isEqualTo("a ${B} $ c");
  }

  private static Listener plain(String address, int port) {
    return new Listener(address(address, port), Optional.empty());
  }

  private static InetSocketAddress address(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  private static MetadataSource url(String url) {
    return new MetadataSource.Url(URI.create(url), Optional.empty(), Duration.ofHours(1));
  }

  private static Map<String, String> withAccount() {
    Map<String, String> claims = new HashMap<>(OAuthConfig.STANDARD_CLAIMS);
    claims.put("account", "login");
    return claims;
  }

  private static ClientConfig bank() {
    return new ClientConfig(
        "bank", Optional.of("The bank"),
        new ClientAuthentication(
            Set.of(ClientAuthentication.Method.TLS, ClientAuthentication.Method.PRIVATE_KEY_JWT),
            Optional.empty(),
            Optional.of(
                new ClientAuthentication.CertificateName(ClientAuthentication.CertificateName.Field.SUBJECT_DN, "CN=bank,O=Example"))),
        new ClientConfig.Permissions(Set.of(ClientConfig.GrantType.values()),
            List.of("https://bank.example.org/cb", "http://127.0.0.1/cb", "org.example.bank:/cb"), Set.of("openid", "payments"),
            List.of("https://api.example.org"), Optional.of(new ClientConfig.Passcodes(Set.of("vpn"), 20, 3, true))),
        new ClientConfig.Login(new ClientConfig.SubjectType.Pairwise("example.org"), true, Optional.of("totp")),
        new ClientConfig.Requests(
            false,
            true,
            true,
            List.of(URI.create("https://bank.example.org/request.jwt")),
            Optional.of(ClientConfig.JwsName.ES256),
            Optional.of(ClientConfig.JwsName.PS256),
            Optional.of(Duration.ofHours(1)),
            true,
            List.of("urn:example:strong")),
        new ClientConfig.Tokens(
            ClientConfig.AccessTokenFormat.OPAQUE,
            ClientConfig.JwsName.EDDSA,
            Optional.of(Duration.ofMinutes(1)),
            Optional.of(Duration.ofDays(1)),
            Duration.ofSeconds(10),
            ClientConfig.JwsName.PS256,
            Optional.of(new ClientConfig.Encryption("ECDH-ES", "A128GCM")),
            Optional.of(ClientConfig.JwsName.ES256),
            Optional.of(new ClientConfig.Encryption("RSA-OAEP-256", "A128CBC-HS256")),
            ClientConfig.Binding.DPOP),
        Optional.of(new ClientConfig.Keys.Jwks("{\"keys\":[]}")),
        new ClientConfig.Logout(
            List.of("https://bank.example.org/bye"),
            Optional.of(URI.create("https://bank.example.org/front")),
            false,
            Optional.of(URI.create("https://bank.example.org/back")),
            false),
        new ClientConfig.About(
            Optional.of(URI.create("https://bank.example.org")),
            Optional.of(URI.create("https://bank.example.org/logo.png")),
            Optional.of(URI.create("https://bank.example.org/privacy")),
            Optional.of(URI.create("https://bank.example.org/terms")),
            Optional.of(URI.create("https://bank.example.org/login")),
            List.of("it@example.org")));
  }

  private static ClientConfig plainClient() {
    return new ClientConfig(
        "app", Optional.empty(),
        new ClientAuthentication(
            Set.of(ClientAuthentication.Method.SECRET_BASIC, ClientAuthentication.Method.SECRET_POST),
            Optional.of(new ClientAuthentication.ClientSecret.Configured(new Secret("quiet"))),
            Optional.empty()),
        new ClientConfig.Permissions(Set.of(ClientConfig.GrantType.CODE, ClientConfig.GrantType.REFRESH), List.of("https://app.example.org/cb"),
            Set.of("openid", "profile", "email"), List.of()),
        new ClientConfig.Login(new ClientConfig.SubjectType.Public(), false, Optional.empty()), ClientConfig.Requests.USUAL,
        ClientConfig.Tokens.USUAL, Optional.empty(), ClientConfig.Logout.NONE, ClientConfig.About.NOTHING);
  }
}
