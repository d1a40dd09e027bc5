package dev.gatehouse.idp.certificate;

import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;

/**
 * The proof that somebody holds a person's certificate.
 *
 * @param browser hash of the value of the browser that began the login: the ticket is invalid in any other
 * @param pending the waiting sign-on
 */
public record CertificateTicket(String realm, PersonId person, String browser, Optional<String> pending) {}
