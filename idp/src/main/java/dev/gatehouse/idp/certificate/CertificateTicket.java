package dev.gatehouse.idp.certificate;

import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;

/**
 * That somebody proved to hold a person's certificate.
 *
 * @param browser hash of the value of the browser that began the login: in another one the ticket is worth nothing
 * @param pending the sign-on that waits
 */
public record CertificateTicket(String realm, PersonId person, String browser, Optional<String> pending) {}
