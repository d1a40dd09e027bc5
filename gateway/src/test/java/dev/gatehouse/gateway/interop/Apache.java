package dev.gatehouse.gateway.interop;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;

/**
 * Apache with mod_auth_mellon 0.18 (Debian's packages) as an ordinary process in the foreground, with several service
 * providers: each has a host of its own, a key, and below {@code /books/} a page that shows what mellon knows of the
 * person.
 */
final class Apache implements AutoCloseable {

  static final Path PROGRAM = Path.of("/usr/sbin/apache2");
  static final Path MODULES = Path.of("/usr/lib/apache2/modules");
  private static final String MELLON = "mod_auth_mellon.so";

  private static final String PAGE =
      """
      <!doctype html><html lang="en"><title>Books</title><h1>Books</h1><dl>
      <dt>user</dt><dd id="user"><!--#echo var="REMOTE_USER" --></dd>
      <dt>NameID</dt><dd id="name-id"><!--#echo var="MELLON_NAME_ID" --></dd>
      <dt>uid</dt><dd id="uid"><!--#echo var="MELLON_uid" --></dd>
      <dt>mail</dt><dd id="mail"><!--#echo var="MELLON_mail" --></dd>
      <dt>groups</dt><dd id="groups"><!--#echo var="MELLON_groups" --></dd></dl>
      <a href="/mellon/logout?ReturnTo=/left/">Log out</a></html>
      """;

  /**
   * One service provider.
   *
   * @param identityProvider its metadata, as mellon is to see it
   * @param backChannel whether its metadata asks for artifacts, and for logout by SOAP
   */
  record Host(String address, String nameIdFormat, String user, String identityProvider, boolean backChannel) {}

  private final Path home;
  private final ServerProcess process;

  private Apache(Path home, ServerProcess process) {
    this.home = home;
    this.process = process;
  }

  /** Skips the test by name where Apache or mellon is missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    boolean installed = Files.isExecutable(PROGRAM) && Files.isRegularFile(MODULES.resolve(MELLON));
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install apache2 libapache2-mod-auth-mellon");
    }
    Assumptions.assumeTrue(installed, "skipped: apache2 with libapache2-mod-auth-mellon is not installed");
  }

  /** @param logs where {@code apache.log} goes */
  static Apache start(Path logs, int port, List<Host> hosts) throws IOException {
    // Apache gives up root, and then it must still be able to read.
    Path home = Files.createTempDirectory("gatehouse-apache");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(home.resolve("pages/books"));
    Files.createDirectories(home.resolve("pages/left"));
    Files.writeString(home.resolve("pages/books/index.shtml"), PAGE);
    Files.writeString(
        home.resolve("pages/left/index.shtml"), "<!doctype html><title>Left</title><h1>You have left</h1>");
    for (Host host : hosts) {
      writeServiceProvider(home, port, host);
    }
    Path configuration = Files.writeString(home.resolve("apache.conf"), configuration(home, port, hosts));
    ServerProcess process =
        ServerProcess.start(
            "apache", logs, Map.of(), List.of(PROGRAM.toString(), "-f", configuration.toString(), "-DFOREGROUND"));
    process.await(() -> listens(hosts.getLast().address(), port), Duration.ofSeconds(60));
    return new Apache(home, process);
  }

  private static void writeServiceProvider(Path home, int port, Host host) throws IOException {
    SigningKey key = SamlFixtures.create(KeyAlgorithm.RSA_2048, host.address());
    String certificate;
    try {
      certificate = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.certificate().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
    String privateKey = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.privateKey().getEncoded());
    Files.writeString(home.resolve(host.address() + ".key"), pem("PRIVATE KEY", privateKey));
    Files.writeString(home.resolve(host.address() + ".crt"), pem("CERTIFICATE", certificate));
    Files.writeString(home.resolve(host.address() + ".idp.xml"), host.identityProvider());
    Files.writeString(home.resolve(host.address() + ".sp.xml"), metadata(port, host, certificate));
  }

  private static String pem(String type, String base64) {
    return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
  }

  private static String metadata(int port, Host host, String certificate) {
    return """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%1$s/metadata">
        <SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" \
        protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>\
        <ds:X509Certificate>%3$s</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>
        %4$s<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%1$s/logout"/>
        <NameIDFormat>%2$s</NameIDFormat>
        %5$s</SPSSODescriptor></EntityDescriptor>
        """
        .formatted(
            base(port, host), host.nameIdFormat(), certificate, soapLogout(port, host), consumers(port, host));
  }

  private static String base(int port, Host host) {
    return "http://" + host.address() + ":" + port + "/mellon";
  }

  /** At mellon one address serves both bindings. */
  private static String soapLogout(int port, Host host) {
    return host.backChannel()
        ? "<SingleLogoutService Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:SOAP\" Location=\"%s/logout\"/>\n"
            .formatted(base(port, host))
        : "";
  }

  /** Those of mellon's own metadata, of which it asks for the default one. */
  private static String consumers(int port, Host host) {
    return """
        <AssertionConsumerService index="0" isDefault="%2$s" \
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%1$s/postResponse"/>
        <AssertionConsumerService index="1" isDefault="%3$s" \
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact" Location="%1$s/artifactResponse"/>
        """
        .formatted(base(port, host), !host.backChannel(), host.backChannel());
  }

  private static String configuration(Path home, int port, List<Host> hosts) {
    String modules =
        List.of("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "auth_mellon").stream()
            .map(name -> "LoadModule " + name + "_module " + MODULES.resolve("mod_" + name + ".so"))
            .collect(Collectors.joining("\n"));
    String user = System.getProperty("user.name").equals("root") ? "User www-data\nGroup www-data\n" : "";
    String listening =
        hosts.stream().map(host -> "Listen " + host.address() + ":" + port).collect(Collectors.joining("\n"));
    return """
        %2$s
        %3$s%4$s
        ServerName library
        PidFile %1$s/apache.pid
        DefaultRuntimeDir %1$s
        ErrorLog /dev/stderr
        DocumentRoot %1$s/pages
        TypesConfig /dev/null
        AddType text/html .shtml
        AddOutputFilter INCLUDES .shtml
        DirectoryIndex index.shtml
        StartServers 1
        MellonLockFile %1$s/mellon.lock
        <Directory %1$s/pages>
          Options +Includes
          Require all granted
        </Directory>
        """
            .formatted(home, modules, user, listening)
        + hosts.stream().map(host -> virtualHost(home, port, host)).collect(Collectors.joining());
  }

  private static String virtualHost(Path home, int port, Host host) {
    // What the console gives to administrators. mellon's cookie is Secure, which browsers take from loopback by http, too.
    String snippet =
        ConsoleSnippets.filled(
            "mod_auth_mellon.conf",
            Map.of(
                "endpoint", "/mellon", "folder", home.toString(), "name", host.address(), "user", host.user(), "protected", "/books/"));
    return """
        <VirtualHost %1$s:%2$d>
          ServerName http://%1$s:%2$d
        %3$s</VirtualHost>
        """
        .formatted(host.address(), port, snippet);
  }

  static boolean listens(String address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 200);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    process.close();
    try {
      FileSystemUtils.deleteRecursively(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
