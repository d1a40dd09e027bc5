package dev.gatehouse.sp.session;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The sessions of the gateway. */
@Configuration(proxyBeanMethods = false)
@Import({AppSessionAccounts.class, AppSessionAdmin.class, AppSessions.class, LogoutMarks.class})
public class SessionConfig {}
