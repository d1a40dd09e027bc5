package dev.gatehouse.idp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.account.SecondFactorEndpoint;
import dev.gatehouse.idp.authn.BasicEndpoint;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CertificateEndpoint;
import dev.gatehouse.idp.authn.DirectLoginEndpoint;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.KnownDevices;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.LoginSteps;
import dev.gatehouse.idp.authn.PassedFirstFactors;
import dev.gatehouse.idp.authn.PasswordContract;
import dev.gatehouse.idp.authn.PasswordEndpoint;
import dev.gatehouse.idp.authn.PasswordNotice;
import dev.gatehouse.idp.authn.PasswordRelease;
import dev.gatehouse.idp.authn.PasswordTask;
import dev.gatehouse.idp.authn.PasswordTasks;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.authn.SecondStepEndpoint;
import dev.gatehouse.idp.authn.SecondSteps;
import dev.gatehouse.idp.authn.SetUpEndpoint;
import dev.gatehouse.idp.authn.SetUpPages;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.certificate.CertificateTickets;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.totp.Enrolments;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Assembles the login contracts, and the pages on which a person can change their credentials. */
final class LoginRoutes {

  private final List<Route> routes;
  private final PasswordContract passwords;
  private final LoginSteps steps;

  LoginRoutes(
      IdpSessions sessions,
      BrowserBinding browsers,
      PendingSignOns signOns,
      PasswordNotice notice,
      Directories directories,
      Stores stores,
      GuessThrottle throttle,
      SecondFactors secondFactors,
      SealingKey sealing,
      KnownDevices devices,
      CertificateTickets tickets,
      PasswordRelease release,
      Pages pages,
      Refusals refusals,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    RecentLogin waiting = new RecentLogin(signOns, browsers, clock, SecondFactorEndpoint.PATH);
    PasswordTasks tasks =
        new PasswordTasks(
            stores.singleUse(PasswordTasks.STORE, new JsonCodec<>(PasswordTask.class)), browsers, clock, random);
    PasswordContract contract = new PasswordContract(directories, throttle, devices, audit);
    this.passwords = contract;
    SecondFactor secondFactor = new SecondFactor(secondFactors, sealing, throttle, audit, clock);
    Enrolments enrolments = new Enrolments(stores, secondFactors, sealing, audit, clock, random);
    SetUpPages setUpPages = new SetUpPages(pages);
    PassedFirstFactors firstFactors = new PassedFirstFactors(stores, browsers, clock, random);
    this.steps = new LoginSteps(sessions, firstFactors, secondFactor, devices, clock);
    SecondSteps second =
        new SecondSteps(sessions, firstFactors, steps, browsers, waiting, directories, refusals);
    this.routes =
        List.of(
            Route.form(
                "login", new LoginEndpoint(sessions, browsers, waiting, contract, tasks, steps, release, pages, refusals)),
            Route.get(
                "login/basic",
                new BasicEndpoint(sessions, browsers, waiting, contract, tasks, steps, release, pages, refusals)),
            Route.get(
                CertificateLogins.PATH,
                new CertificateEndpoint(tickets, steps, browsers, waiting, directories, refusals)),
            Route.post("login/direct", new DirectLoginEndpoint(sessions, contract, steps, secondFactor, refusals)),
            Route.form("login/second", new SecondStepEndpoint(second, secondFactor, browsers, pages)),
            Route.form(
                "login/set-up", new SetUpEndpoint(second, secondFactor, enrolments, browsers, setUpPages, refusals)),
            Route.form(
                "password",
                new PasswordEndpoint(
                    sessions, browsers, tasks, waiting, steps, notice, directories, throttle, devices, audit, pages,
                    refusals)),
            Route.form(
                SecondFactorEndpoint.PATH,
                new SecondFactorEndpoint(
                    sessions, waiting, secondFactor, enrolments, setUpPages, pages, refusals)));
  }

  List<Route> routes() {
    return routes;
  }

  /** For logins without a browser. */
  PasswordContract passwords() {
    return passwords;
  }

  LoginSteps steps() {
    return steps;
  }
}
