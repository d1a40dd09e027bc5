package dev.gatehouse.idp.passkey;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Passkeys. */
@Configuration(proxyBeanMethods = false)
@Import({PasskeyChallenges.class, PasskeyEnrolments.class, PasskeyLogins.class, PasskeyOffers.class})
public class PasskeyConfig {}
