// Serves the events of the benchmark with gorm-studio: gorm-studio-peer FILE PORT.
// Build it in a checkout of gorm-studio: cp main.go CHECKOUT/ && go build -o gorm-studio-peer .
package main

import (
	"log"
	"os"
	"time"

	"github.com/MUKE-coder/gorm-studio/studio"
	"github.com/gin-gonic/gin"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Event is the table that bench/database.ts creates.
type Event struct {
	ID         int64 `gorm:"primaryKey"`
	UserID     int64 `gorm:"index"`
	Kind       string
	Title      string
	Amount     float64
	Score      float64
	CreatedAt  time.Time
	Payload    string
	Note       *string
	ExternalID int64
	Active     bool
	Tag        *string
}

func main() {
	db, err := gorm.Open(sqlite.Open(os.Args[1]), &gorm.Config{Logger: logger.Default.LogMode(logger.Silent)})
	if err != nil {
		log.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	if err := studio.Mount(router, db, []any{&Event{}}, studio.Config{Prefix: "/studio", ReadOnly: true, DisableSQL: true}); err != nil {
		log.Fatal(err)
	}
	log.Fatal(router.Run("127.0.0.1:" + os.Args[2]))
}
