package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;

/**
 * A library whose relying party is Apache's mod_auth_openidc 2.4 (Debian's package): a page below {@code /books/}
 * shows what the module knows of the person.
 */
final class Library implements AutoCloseable {

  /** Of the client in {@code src/test/resources/guild}. */
  private static final String SECRET = "another-secret";

  private static final String PAGE =
      """
      <!doctype html><html lang="en"><title>Books</title><h1>Books</h1><dl>
      <dt>user</dt><dd id="user"><!--#echo var="REMOTE_USER" --></dd>
      <dt>email</dt><dd id="email"><!--#echo var="OIDC_CLAIM_email" --></dd>
      <dt>token</dt><dd id="token"><!--#echo var="OIDC_access_token" --></dd></dl>
      <a href="/books/callback?refresh=%1$s%%2Fbooks%%2F&amp;\
      access_token=<!--#echo var="OIDC_access_token" -->">Refresh</a>
      <a href="/books/callback?logout=%1$s%%2Fleft%%2F">Log out</a></html>
      """;

  private final Path home;
  private final ServerProcess process;

  private Library(Path home, ServerProcess process) {
    this.home = home;
    this.process = process;
  }

  /** Skips the test by name where Apache or the module is missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    boolean installed =
        Files.isExecutable(Apache.PROGRAM) && Files.isRegularFile(Apache.MODULES.resolve("mod_auth_openidc.so"));
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install apache2 libapache2-mod-auth-openidc");
    }
    Assumptions.assumeTrue(installed, "skipped: apache2 with libapache2-mod-auth-openidc is not installed");
  }

  /** @param logs where {@code library.log} goes; @param issuer of the provider */
  static Library start(Path logs, String address, int port, String issuer) throws IOException {
    // Apache gives up root, and then it must still be able to read.
    Path home = Files.createTempDirectory("gatehouse-library");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(home.resolve("pages/books"));
    Files.createDirectories(home.resolve("pages/left"));
    String base = "http://" + address + ":" + port;
    String encoded = base.replace(":", "%3A").replace("/", "%2F");
    Files.writeString(home.resolve("pages/books/index.shtml"), PAGE.formatted(encoded));
    Files.writeString(
        home.resolve("pages/left/index.shtml"), "<!doctype html><title>Left</title><h1>You have left</h1>");
    String settings = configuration(home, address, port, issuer);
    Path configuration = Files.writeString(home.resolve("apache.conf"), settings);
    ServerProcess process =
        ServerProcess.start(
            "library",
            logs,
            Map.of(),
            List.of(Apache.PROGRAM.toString(), "-f", configuration.toString(), "-DFOREGROUND"));
    return new Library(home, process.await(() -> Apache.listens(address, port), Duration.ofSeconds(60)));
  }

  private static String configuration(Path home, String address, int port, String issuer) {
    String modules =
        Stream.of("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "auth_openidc")
            .map(name -> "LoadModule " + name + "_module " + Apache.MODULES.resolve("mod_" + name + ".so"))
            .collect(Collectors.joining("\n"));
    String user = System.getProperty("user.name").equals("root") ? "User www-data\nGroup www-data\n" : "";
    return """
        %2$s
        Listen %4$s:%5$d
        %3$sServerName http://%4$s:%5$d
        PidFile %1$s/apache.pid
        DefaultRuntimeDir %1$s
        ErrorLog /dev/stderr
        LogLevel warn
        DocumentRoot %1$s/pages
        TypesConfig /dev/null
        AddType text/html .shtml
        AddOutputFilter INCLUDES .shtml
        DirectoryIndex index.shtml
        StartServers 1
        OIDCProviderBackChannelLogoutSupported On
        OIDCSessionType server-cache
        OIDCCacheType shm
        <Directory %1$s/pages>
          Options +Includes
          Require all granted
        </Directory>
        """
            .formatted(home, modules, user, address, port)
        + snippet(address, port, issuer);
  }

  /** What the console gives to administrators. */
  private static String snippet(String address, int port, String issuer) {
    return ConsoleSnippets.filled(
        "mod_auth_openidc.conf",
        Map.of(
            "issuer", issuer, "clientId", "library", "secret", SECRET, "redirectUri", "http://" + address + ":" + port + "/books/callback",
            "passphrase", "0123456789abcdef0123456789abcdef", "scopes", "openid profile email offline_access", "protected", "/books/"));
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
