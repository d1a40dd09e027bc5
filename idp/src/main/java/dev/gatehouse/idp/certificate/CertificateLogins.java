package dev.gatehouse.idp.certificate;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.certificate.CertificateCheck;
import dev.gatehouse.common.certificate.CertificateNames;
import dev.gatehouse.common.certificate.CertificateRefusals;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The only function of the listener that asks for certificates: it exchanges a certificate for a ticket, and redirects
 * back to the identity provider. It uses no cookies; the address names the browser that began the login
 * ({@code browser}: a hash, not a secret) and the waiting sign-on ({@code pending}). An attacker who makes another
 * person open such an address gains nothing: the ticket goes to the browser that holds the certificate, and is valid
 * only in the browser that began the login.
 */
public final class CertificateLogins {

  /** The path below {@code /realms/{realm}/}, on both sides. */
  public static final String PATH = "login/certificate";

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final Directories directories;
  private final CertificateTickets tickets;
  private final CertificateRefusals records;
  private final Refusals refusals;
  private final InstantSource clock;

  public CertificateLogins(
      Directories directories, CertificateTickets tickets, AuditLog audit, Refusals refusals, RefusalLog log, InstantSource clock) {
    this.directories = directories;
    this.tickets = tickets;
    this.records = new CertificateRefusals(audit, log);
    this.refusals = refusals;
    this.clock = clock;
  }

  /**
   * The address to which the login page sends a person who wants to use a certificate; empty if the realm has no such
   * contract, or if the browser is not at the realm's public address, to which tickets lead.
   */
  public static Optional<String> address(RealmRequest request, String browser, Optional<String> pending) {
    return request
        .idp()
        .contracts()
        .certificate()
        .filter(config -> request.origin().equals(Origin.of(request.idp().publicUrl())))
        .map(
            config ->
                config.publicUrl()
                    + request.here(PATH)
                    + "?browser="
                    + browser
                    + pending.map(key -> "&pending=" + key).orElse(""));
  }

  /** @param chain as the client proved it in the handshake, its own certificate first; empty if it sent none */
  public EdgeReply handle(RealmRequest request, List<X509Certificate> chain) {
    Optional<CertificateLogin> config = request.idp().contracts().certificate();
    if (config.isEmpty()) {
      return refusals.page(request, 404, "not-found", "CERTIFICATE_LOGIN_OFF");
    }
    Parameters query = request.http().queryParameters();
    Optional<String> browser = query.one("browser").filter(KEY.asMatchPredicate());
    Optional<String> pending = query.one("pending");
    if (browser.isEmpty() || pending.filter(key -> !KEY.matcher(key).matches()).isPresent()) {
      return refusals.page(request, 400, "bad-request", "NO_BROWSER");
    }
    if (chain.isEmpty()) {
      return refusals.page(request, 403, "no-certificate", "NO_CERTIFICATE");
    }
    Optional<CertificateCheck.Refusal> refusal = CertificateCheck.check(config.get(), chain, clock.instant());
    if (refusal.isPresent()) {
      return refused(request, chain.getFirst(), refusal.get().isOfIssued(), refusal.get().name());
    }
    Optional<String> name = CertificateNames.of(chain.getFirst(), config.get().field());
    if (name.isEmpty()) {
      return refused(request, chain.getFirst(), true, "CERTIFICATE_WITHOUT_NAME");
    }
    return switch (directories.of(request.realm()).findEnabled(config.get().attribute(), name.get())) {
      case PersonSearch.None() -> refused(request, chain.getFirst(), true, "UNKNOWN_NAME");
      case PersonSearch.Several() -> refused(request, chain.getFirst(), true, "AMBIGUOUS_NAME");
      case PersonSearch.One(var person) -> {
        String ticket =
            tickets.issue(new CertificateTicket(request.realm().name(), person.id(), browser.get(), pending));
        yield EdgeReply.seeOther(request.location(PATH) + "?ticket=" + ticket);
      }
    };
  }

  /** The same answer for every reason. */
  private EdgeReply refused(RealmRequest request, X509Certificate certificate, boolean isIssued, String reason) {
    boolean isWritten = records.record(request.context(), request.http().client(), certificate, isIssued, reason);
    return refusals.decided(request, 403, "certificate-refused", reason, isWritten);
  }
}
