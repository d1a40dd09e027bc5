package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.inuse.FileRealms;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionRecorder;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the realms of a node that reads its configuration from files, and records these as revisions. */
@Configuration(proxyBeanMethods = false)
@Import(RevisionServices.class)
public class FileServices {

  @Bean
  FileRealms fileRealms(ConfigurationFiles files, JsonLinesAuditLog audit, InstantSource time) throws ConfigurationInvalid {
    return FileRealms.open(files, audit, time);
  }

  @Bean
  RealmsInUse realms(FileRealms files) {
    return files.inUse();
  }

  @Bean
  ConfigurationControl configurationControl(FileRealms realms) {
    return new FileConfiguration(realms);
  }

  @Bean
  RevisionRecorder revisionRecorder(RealmsInUse realms, RevisionStore store) {
    return new RevisionRecorder(realms, store);
  }
}
