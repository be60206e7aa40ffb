-- Offsets of groups, for databases with standard SQL. Names are quoted: some are reserved words.
CREATE TABLE "meta_topic_partition_group_offset" (
    "topic"     VARCHAR(240) NOT NULL,
    "partition" VARCHAR(24)  NOT NULL,
    "group_id"  VARCHAR(240) NOT NULL,
    "offset"    BIGINT       NOT NULL,
    "msg_id"    BIGINT       NOT NULL,
    PRIMARY KEY ("topic", "partition", "group_id")
);
