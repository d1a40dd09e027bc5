package dev.gatehouse.idp.reset;

import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.session.KnownDevices;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** New passwords by mail. */
@Configuration(proxyBeanMethods = false)
@Import({NewPasswordEndpoint.class, ResetLinks.class})
public class ResetConfig {

  @Bean
  ResetTasks passwordResetTasks() {
    return ResetTasks.inBackground();
  }

  @Bean
  ForgottenPasswordEndpoint forgottenPasswordEndpoint(
      ResetLinks links,
      ResetTasks tasks,
      KnownDevices devices,
      BrowserBinding browsers,
      Pages pages,
      Refusals refusals,
      Stores stores,
      InstantSource clock) {
    // Its own counts: whoever asks for links for a person must not use up that person's tries to log in.
    GuessThrottle throttle = new WindowGuessThrottle(clock, name -> stores.permits("resets-" + name));
    return new ForgottenPasswordEndpoint(links, tasks, throttle, devices, browsers, pages, refusals);
  }

  @Bean
  RouteGroup idpResetRoutes(ForgottenPasswordEndpoint forgotten, NewPasswordEndpoint replacement) {
    return RouteGroup.of(
        Route.form(LoginEndpoint.FORGOTTEN, forgotten), Route.form(NewPasswordEndpoint.PATH, replacement));
  }
}
