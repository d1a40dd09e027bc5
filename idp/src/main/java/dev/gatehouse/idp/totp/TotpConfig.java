package dev.gatehouse.idp.totp;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** One-time passwords as a second factor. */
@Configuration(proxyBeanMethods = false)
@Import({Enrolments.class, SecondFactor.class})
public class TotpConfig {}
