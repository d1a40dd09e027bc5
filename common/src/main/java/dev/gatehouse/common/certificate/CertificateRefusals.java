package dev.gatehouse.common.certificate;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.page.RefusalLog;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import javax.security.auth.x500.X500Principal;

/**
 * Writes refused certificates to the audit log, named by their subjects. No throttle counts who shows one, so that all have a pace. Anybody
 * makes certificates: those have the pace of the address. One that an authority of the realm has issued has a pace of its own, wherever it
 * is shown, so that a thief hides it behind no others.
 */
public final class CertificateRefusals {

  private final AuditLog audit;
  private final RefusalLog refusals;

  public CertificateRefusals(AuditLog audit, RefusalLog refusals) {
    this.audit = audit;
    this.refusals = refusals;
  }

  /**
   * Writes a refusal, or counts it.
   *
   * @param isIssued whether an authority of the realm has issued the certificate
   * @return whether it is written: whoever has another event about the same refusal asks for no second place
   */
  public boolean record(AuditEvent.Context context, InetAddress client, X509Certificate certificate, boolean isIssued, String reason) {
    boolean isAdmitted = isIssued ? refusals.admits(context.realm(), "certificate " + number(certificate)) : refusals.admits(client);
    if (isAdmitted) {
      String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
      audit.record(new AuditEvent.LoginRefused(context, subject, "certificate", reason));
    }
    return isAdmitted;
  }

  /** Authorities give each certificate another number (RFC 5280, section 4.1.2.2). */
  private static String number(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16) + " of " + certificate.getIssuerX500Principal().getName(X500Principal.RFC2253);
  }
}
