package dev.gatehouse.perf.modules;

import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Apache httpd with mod_auth_mellon, with mod_auth_openidc, and with neither, on a port each; all serve the same file. As Apache's performance
 * guide advises: mpm_event with as many processes as cores, connections that are never closed for their number of requests, sendfile, mapped
 * files, no {@code .htaccess}, no name lookups, buffered logs. Sessions of the modules are in shared memory, which is the default of both.
 *
 * @param home what Apache reads; it gives up root, and then it must still be able to read it
 */
public record ApachePeer(ServerProcess process, Path home, Ports ports) implements AutoCloseable {

  static final Path PROGRAM = Path.of("/usr/sbin/apache2");
  static final Path MODULES = Path.of("/usr/lib/apache2/modules");

  static final String CLIENT = "library";
  static final String SECRET = "a-secret-of-the-bench";

  private static final int THREADS = 128;

  /** The ports on which it listens at 127.0.0.1. */
  public record Ports(int plain, int mellon, int openidc) {

    String mellonUrl() {
      return "http://127.0.0.1:" + mellon;
    }

    String openidcUrl() {
      return "http://127.0.0.1:" + openidc;
    }

    String callback() {
      return openidcUrl() + "/page/callback";
    }
  }

  /** The metadata of mellon's service provider. */
  static String metadata(Ports ports, Certificates certificates) throws IOException {
    String base64 =
        Files.readAllLines(certificates.certificate()).stream().filter(line -> !line.startsWith("-----")).collect(Collectors.joining());
    return """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%1$s/mellon/metadata">
          <SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true"
            protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
            <KeyDescriptor use="signing">
              <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
                <ds:X509Data><ds:X509Certificate>%2$s</ds:X509Certificate></ds:X509Data>
              </ds:KeyInfo>
            </KeyDescriptor>
            <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</NameIDFormat>
            <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
              Location="%1$s/mellon/postResponse"/>
          </SPSSODescriptor>
        </EntityDescriptor>
        """
        .formatted(ports.mellonUrl(), base64);
  }

  /**
   * Starts it.
   *
   * @param page the file that all serve, as {@code /page/page.html}
   * @param spMetadata from {@link #metadata}
   * @param idpMetadata of the identity provider
   * @param issuer of the OpenID provider
   */
  static ApachePeer start(
      Path work, Ports ports, Path page, Certificates key, String spMetadata, String idpMetadata, String issuer)
      throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("gatehouse-apache-");
    Path pages = Files.createDirectories(home.resolve("pages/page"));
    readable(home, home.resolve("pages"), pages);
    Files.copy(page, pages.resolve("page.html"), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(key.certificate(), home.resolve("sp.crt"));
    Files.copy(key.privateKey(), home.resolve("sp.key"));
    Files.writeString(home.resolve("sp.xml"), spMetadata);
    Files.writeString(home.resolve("idp.xml"), idpMetadata);
    readable(home.resolve("sp.key"), home.resolve("sp.crt"), home.resolve("sp.xml"), home.resolve("idp.xml"), pages.resolve("page.html"));
    String user = System.getProperty("user.name", "").equals("root") ? "User www-data\nGroup www-data\n" : "";
    String settings = configuration(home, ports, issuer, Runtime.getRuntime().availableProcessors(), user);
    Path file = Files.writeString(home.resolve("apache.conf"), settings);
    List<String> command = List.of(PROGRAM.toString(), "-f", file.toString(), "-DFOREGROUND");
    return new ApachePeer(ServerProcess.start("apache", work, Map.of(), command, ports.plain()).awaitPort(), home, ports);
  }

  private static void readable(Path... paths) {
    for (Path each : paths) {
      if (!each.toFile().setReadable(true, false) || each.toFile().isDirectory() && !each.toFile().setExecutable(true, false)) {
        throw new IllegalStateException(each + " cannot be made readable");
      }
    }
  }

  /** Its configuration on a machine of two cores. */
  public static String settings() {
    return configuration(Path.of("/HOME"), new Ports(8080, 8081, 8082), "ISSUER", 2, "User www-data\nGroup www-data\n");
  }

  private static String configuration(Path home, Ports ports, String issuer, int cores, String user) {
    String modules =
        Stream.of("mpm_event", "authn_core", "authz_core", "authz_user", "mime", "auth_mellon", "auth_openidc")
            .map(name -> "LoadModule " + name + "_module " + MODULES.resolve("mod_" + name + ".so"))
            .collect(Collectors.joining("\n"));
    return """
        %2$s
        %3$sServerName 127.0.0.1
        PidFile %1$s/apache.pid
        DefaultRuntimeDir %1$s
        ErrorLog /dev/stderr
        DocumentRoot %1$s/pages
        TypesConfig /dev/null
        AddType text/html .html
        ServerLimit %4$d
        StartServers %4$d
        ThreadLimit %5$d
        ThreadsPerChild %5$d
        MaxRequestWorkers %6$d
        MinSpareThreads %6$d
        MaxSpareThreads %6$d
        MaxConnectionsPerChild 0
        KeepAlive On
        MaxKeepAliveRequests 0
        KeepAliveTimeout 60
        EnableSendfile On
        EnableMMAP On
        HostnameLookups Off
        BufferedLogs On
        LogFormat "%%h %%l %%u %%t \\"%%r\\" %%>s %%b" common
        CustomLog %1$s/access.log common
        MellonLockFile %1$s/mellon.lock
        <Directory %1$s/pages>
          Options FollowSymLinks
          AllowOverride None
          Require all granted
        </Directory>
        Listen 127.0.0.1:%7$d
        Listen 127.0.0.1:%8$d
        Listen 127.0.0.1:%9$d
        """
            .formatted(home, modules, user, cores, THREADS, cores * THREADS, ports.plain(), ports.mellon(), ports.openidc())
        + mellon(home, ports) + openidc(ports, issuer);
  }

  private static String mellon(Path home, Ports ports) {
    return """
        <VirtualHost 127.0.0.1:%2$d>
          ServerName %3$s
          <Location />
            MellonEnable info
            MellonEndpointPath /mellon
            MellonSPMetadataFile %1$s/sp.xml
            MellonSPPrivateKeyFile %1$s/sp.key
            MellonSPCertFile %1$s/sp.crt
            MellonIdPMetadataFile %1$s/idp.xml
            MellonSignatureMethod rsa-sha256
          </Location>
          <Location /page/>
            AuthType Mellon
            MellonEnable auth
            Require valid-user
          </Location>
        </VirtualHost>
        """
        .formatted(home, ports.mellon(), ports.mellonUrl());
  }

  private static String openidc(Ports ports, String issuer) {
    return """
        <VirtualHost 127.0.0.1:%1$d>
          ServerName %2$s
          OIDCProviderMetadataURL "%3$s/.well-known/openid-configuration"
          OIDCClientID "%4$s"
          OIDCClientSecret "%5$s"
          OIDCRedirectURI "%6$s"
          OIDCCryptoPassphrase "0123456789abcdef0123456789abcdef"
          OIDCResponseType code
          OIDCPKCEMethod S256
          OIDCScope "openid"
          OIDCSessionType server-cache
          OIDCCacheType shm
          <Location /page/>
            AuthType openid-connect
            Require valid-user
          </Location>
        </VirtualHost>
        """
        .formatted(ports.openidc(), ports.openidcUrl(), issuer, CLIENT, SECRET, ports.callback());
  }

  @Override
  public void close() {
    process.close();
  }
}
