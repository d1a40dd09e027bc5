package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcMailOutbox;
import dev.gatehouse.common.db.JdbcPasswordResets;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.PasswordResets;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.mail.MailQueue;
import dev.gatehouse.common.mail.MailService;
import dev.gatehouse.common.mail.PersonNotices;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.throttle.Turns;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the mail of the node, and what is stored for new passwords by mail. */
@Configuration(proxyBeanMethods = false)
class MailConfig {

  @Bean
  MailOutbox mailOutbox(Database database) {
    return new JdbcMailOutbox(database);
  }

  @Bean
  PasswordResets passwordResets(Database database) {
    return new JdbcPasswordResets(database);
  }

  @Bean
  MailQueue mailQueue(MailOutbox outbox, SealingKey sealing, InstantSource time, SecureRandom random) {
    return new MailQueue(outbox, sealing, time, random);
  }

  @Bean
  MailService.Subjects mailSubjects(Realms realms, Directories directories, PartnerRegistry partners, SpaceWatch space, Turns turns) {
    return new MailService.Subjects(realms, directories, partners, space, turns);
  }

  @Bean
  MailService mailService(
      Node node,
      MailService.Subjects about,
      MailOutbox outbox,
      MailQueue queue,
      JsonLinesAuditLog audit,
      MetricFamilies metrics,
      InstantSource time) {
    return node.outbound()
        .mail()
        .map(
            smtp -> {
              MailService mail = MailService.begin(node, smtp, about, outbox, queue, audit, metrics, time);
              audit.observedBy(mail.observer());
              return mail;
            })
        .orElseGet(MailService::off);
  }

  @Bean
  PersonNotices personNotices(MailService mail) {
    return mail.notices();
  }
}
